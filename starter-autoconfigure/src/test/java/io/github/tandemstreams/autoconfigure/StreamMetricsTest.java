package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.StreamStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Six meters for each lane that this instance holds, and none for others. */
class StreamMetricsTest {

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final GivenStreams streams = new GivenStreams();
    private final StreamMetrics metrics = new StreamMetrics(registry, provider(streams));

    @Test
    void aBatchIsCounted() {
        metrics.onCommitted(batch("orders-0", 10, 1));
        metrics.onCommitted(batch("orders-0", 5, 0));
        metrics.onRetry("orders", "orders-0", new IllegalStateException());

        assertThat(counter("tandem.records", "orders-0")).isEqualTo(15);
        assertThat(counter("tandem.batches", "orders-0")).isEqualTo(2);
        assertThat(counter("tandem.dead.letters", "orders-0")).isEqualTo(1);
        assertThat(counter("tandem.retries", "orders-0")).isEqualTo(1);
        assertThat(registry.get("tandem.batch.duration")
                        .tags("stream", "orders", "lane", "orders-0")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(80);
    }

    @Test
    void aLaneThatComesHasItsMetersAtOnceSoThatRatesStartAtZero() {
        held(lane("orders-0", OptionalLong.of(12)), lane("orders-1", OptionalLong.empty()));
        metrics.refresh();

        assertThat(registry.getMeters()).hasSize(12);
        assertThat(counter("tandem.records", "orders-0")).isZero();
        assertThat(lag("orders-0")).isEqualTo(12);
        assertThat(lag("orders-1")).isNaN();
    }

    @Test
    void theMetersOfALaneThatLeavesGoAndComeBackWithItOnce() {
        held(lane("orders-0", OptionalLong.of(1)), lane("orders-1", OptionalLong.of(1)));
        metrics.refresh();
        held(lane("orders-1", OptionalLong.of(0)));
        metrics.refresh();
        assertThat(registry.getMeters())
                .hasSize(6)
                .allSatisfy(meter -> assertThat(meter.getId().getTag("lane")).isEqualTo("orders-1"));

        metrics.onCommitted(batch("orders-0", 1, 0)); // the last batch may be reported after the lane left
        metrics.refresh();
        assertThat(registry.getMeters()).hasSize(6);

        for (int i = 0; i < 3; i++) {
            held(lane("orders-0", OptionalLong.of(7)), lane("orders-1", OptionalLong.of(0)));
            metrics.refresh();
        }
        assertThat(registry.getMeters()).hasSize(12);
        assertThat(lag("orders-0")).isEqualTo(7);
    }

    @Test
    void metersNeedARegistryAndMicrometer() {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(TandemAutoConfiguration.class, TandemMetricsAutoConfiguration.class))
                .withBean(StreamOperations.class, () -> streams);
        runner.run(context -> assertThat(context).doesNotHaveBean(StreamProgressListener.class));
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(context).hasSingleBean(StreamProgressListener.class));
        runner.withClassLoader(new FilteredClassLoader(MeterRegistry.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(StreamProgressListener.class));
    }

    private void held(LaneStatus... lanes) {
        streams.statuses.put(
                "orders", new StreamStatus("orders", StreamStatus.State.RUNNING, Arrays.asList(lanes), null));
    }

    private static LaneStatus lane(String name, OptionalLong lag) {
        return new LaneStatus(name, LaneState.ACTIVE, true, 1, 0, Offsets.none(), lag, 0, null);
    }

    private static StreamProgress batch(String lane, int records, int deadLetters) {
        OffsetRange range = new OffsetRange(Offsets.of(lane, 0), Offsets.of(lane, records));
        return new StreamProgress("orders", lane, 0, range, records, deadLetters, Instant.EPOCH, Duration.ofMillis(40));
    }

    private double counter(String name, String lane) {
        return registry.get(name)
                .tags("stream", "orders", "lane", lane)
                .counter()
                .count();
    }

    private double lag(String lane) {
        return registry.get("tandem.lag")
                .tags("stream", "orders", "lane", lane)
                .gauge()
                .value();
    }

    private static ObjectProvider<StreamOperations> provider(StreamOperations bean) {
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("streams", bean);
        return beans.getBeanProvider(StreamOperations.class);
    }
}
