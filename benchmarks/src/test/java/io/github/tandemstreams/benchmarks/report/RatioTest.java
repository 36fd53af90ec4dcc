package io.github.tandemstreams.benchmarks.report;

import static io.github.tandemstreams.benchmarks.contenders.Contenders.COPY_LOOP_1;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.COPY_LOOP_2;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.SPARK;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.SPRING_KAFKA_TUNED;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.TANDEM_BULK;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.TANDEM_TUNED;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.TANDEM_UNWATCHED;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.TANDEM_WATCHED;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.benchmarks.contenders.Said;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RatioTest {

    @Test
    void isOfMediansOfTheRunsThatCount() {
        Medians orders = orders(
                run(SPRING_KAFKA_TUNED, 90),
                run(SPRING_KAFKA_TUNED, 100),
                run(SPRING_KAFKA_TUNED, 500),
                run(TANDEM_TUNED, 110),
                Run.failed("orders", TANDEM_TUNED, 2, "its table is wrong"));

        assertThat(Ratio.of(orders)).containsExactly(new Ratio(TANDEM_TUNED + " / " + SPRING_KAFKA_TUNED, 1.1, 1.05));
    }

    @Test
    void comparesWithTheFasterLoopAndWithSparksBestBatch() {
        Medians orders = orders(
                run(COPY_LOOP_1, 100),
                run(COPY_LOOP_2, 200),
                run(TANDEM_BULK, 180),
                run(SPARK, 50, Map.of(Ratio.SPARK_BEST, 90.0)));

        assertThat(Ratio.of(orders)).extracting(Ratio::value).containsExactly(0.9, 2.0);
        assertThat(Ratio.of(orders)).extracting(Ratio::isReached).containsExactly(false, false);
    }

    @Test
    void beingWatchedIsComparedWithTheSameApplicationUnwatched() {
        Medians orders = orders(run(TANDEM_BULK, 200), run(TANDEM_WATCHED, 96), run(TANDEM_UNWATCHED, 100));

        assertThat(Ratio.of(orders)).containsExactly(new Ratio(TANDEM_WATCHED + " / " + TANDEM_UNWATCHED, 0.96, 0.97));
        assertThat(Ratio.of(orders)).extracting(Ratio::isReached).containsExactly(false);
    }

    @Test
    void isOfTheSecondHalvesToo() {
        List<Run> runs =
                List.of(run(SPRING_KAFKA_TUNED, 50), run(TANDEM_TUNED, 75), Run.failed("orders", SPARK, 1, ""));

        assertThat(new Medians(runs, "orders", Run::secondHalf).perSecond(TANDEM_TUNED))
                .hasValue(150);
        assertThat(new Medians(runs, "orders", Run::secondHalf).perSecond(SPARK))
                .isEmpty();
    }

    @Test
    void aWeakenedListenerMakesTheRunVoid() {
        assertThat(Ratio.isVoid(orders(run(COPY_LOOP_1, 100), run(SPRING_KAFKA_TUNED, 43))))
                .isTrue();
        assertThat(Ratio.isVoid(orders(run(COPY_LOOP_1, 100), run(SPRING_KAFKA_TUNED, 44))))
                .isFalse();
        assertThat(Ratio.isVoid(orders(run(COPY_LOOP_1, 100)))).isFalse();
    }

    private static Medians orders(Run... runs) {
        return new Medians(List.of(runs), "orders");
    }

    private static Run run(String contender, double perSecond) {
        return run(contender, perSecond, Map.of());
    }

    private static Run run(String contender, double perSecond, Map<String, Double> figures) {
        return new Run("orders", contender, 1, perSecond, 2 * perSecond, 1, 2, new Said(Map.of(), figures), null);
    }
}
