package io.github.tandemstreams.benchmarks.report;

import static io.github.tandemstreams.benchmarks.contenders.Contenders.COPY_LOOP_1;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.COPY_LOOP_2;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.SPARK;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.SPRING_KAFKA;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.SPRING_KAFKA_TUNED;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.TANDEM;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.TANDEM_BULK;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.TANDEM_TUNED;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.TANDEM_UNWATCHED;
import static io.github.tandemstreams.benchmarks.contenders.Contenders.TANDEM_WATCHED;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One that Tandem is to reach with the orders.
 *
 * @param what is compared with what
 * @param value of this run
 * @param atLeast what it is to be
 */
record Ratio(String what, double value, double atLeast) {

    static final String FASTER_COPY_LOOP = "faster copy loop";
    static final String SPARK_BEST = "best-batch-per-second";

    /** A tuned listener below this part of the faster COPY loop was held up by something. */
    private static final double WEAKENED = 0.44;

    /** Those whose two sides were measured. */
    static List<Ratio> of(Medians orders) {
        OptionalDouble bulk = orders.perSecond(TANDEM_BULK);
        OptionalDouble tuned = orders.perSecond(SPRING_KAFKA_TUNED);
        List<Ratio> ratios = new ArrayList<>();
        add(ratios, TANDEM_BULK + " / " + FASTER_COPY_LOOP, bulk, fasterCopyLoop(orders), 0.95);
        add(ratios, TANDEM_BULK + " / " + SPRING_KAFKA_TUNED, bulk, tuned, 1.9);
        add(ratios, TANDEM_BULK + " / " + SPARK + "'s best batch", bulk, orders.figure(SPARK, SPARK_BEST), 2.2);
        add(
                ratios,
                TANDEM_WATCHED + " / " + TANDEM_UNWATCHED,
                orders.perSecond(TANDEM_WATCHED),
                orders.perSecond(TANDEM_UNWATCHED),
                0.97);
        add(ratios, TANDEM_TUNED + " / " + SPRING_KAFKA_TUNED, orders.perSecond(TANDEM_TUNED), tuned, 1.05);
        add(ratios, TANDEM + " / " + SPRING_KAFKA, orders.perSecond(TANDEM), orders.perSecond(SPRING_KAFKA), 2.5);
        return ratios;
    }

    private static void add(List<Ratio> ratios, String what, OptionalDouble one, OptionalDouble other, double atLeast) {
        if (one.isPresent() && other.isPresent()) {
            ratios.add(new Ratio(what, one.getAsDouble() / other.getAsDouble(), atLeast));
        }
    }

    static OptionalDouble fasterCopyLoop(Medians medians) {
        return List.of(medians.perSecond(COPY_LOOP_1), medians.perSecond(COPY_LOOP_2)).stream()
                .flatMapToDouble(OptionalDouble::stream)
                .max();
    }

    /** Whether a run with these figures says nothing, since the contender that matters most was weakened. */
    static boolean isVoid(Medians orders) {
        OptionalDouble tuned = orders.perSecond(SPRING_KAFKA_TUNED);
        OptionalDouble loop = fasterCopyLoop(orders);
        return tuned.isPresent() && loop.isPresent() && tuned.getAsDouble() < WEAKENED * loop.getAsDouble();
    }

    boolean isReached() {
        return value >= atLeast;
    }
}
