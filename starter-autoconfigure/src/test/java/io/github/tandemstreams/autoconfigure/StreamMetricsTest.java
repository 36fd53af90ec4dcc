package io.github.tandemstreams.autoconfigure;

import static java.lang.Thread.State.BLOCKED;
import static java.lang.Thread.State.TERMINATED;
import static java.lang.Thread.State.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.LaneStatus.Backlog;
import io.github.tandemstreams.OffsetRange;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.StreamStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The meters of each lane that this instance holds, and none of others. */
class StreamMetricsTest {

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final GivenStreams streams = new GivenStreams();
    private final StreamMetrics metrics = new StreamMetrics(registry, provider(streams));

    @Test
    void aBatchIsCounted() {
        metrics.onCommitted(batch("orders-0", 10, 1));
        metrics.onCommitted(batch("orders-0", 5, 0));
        metrics.onRetry("orders", "orders-0", new IllegalStateException());
        metrics.onFenced("orders", "orders-0");

        assertThat(counter("tandem.records", "orders-0")).isEqualTo(15);
        assertThat(counter("tandem.batches", "orders-0")).isEqualTo(2);
        assertThat(counter("tandem.dead.letters", "orders-0")).isEqualTo(1);
        assertThat(counter("tandem.retries", "orders-0")).isEqualTo(1);
        assertThat(counter("tandem.fenced", "orders-0")).isEqualTo(1);
        assertThat(registry.get("tandem.batch.phase")
                        .tags("stream", "orders", "phase", "handler")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(60);
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

        assertThat(counter("tandem.records", "orders-0")).isZero();
        assertThat(lag("orders-0")).isEqualTo(12);
        assertThat(gauge("tandem.buffered.records", "orders-0")).isEqualTo(3);
        assertThat(gauge("tandem.buffered.bytes", "orders-0")).isEqualTo(300);
        assertThat(gauge("tandem.lag.age", "orders-0")).isGreaterThanOrEqualTo(7);
        assertThat(states()).isEqualTo(Map.of("active", 2.0, "paused", 0.0, "stopped", 0.0, "failed", 0.0));
    }

    @Test
    void aLagThatIsNotKnownIsAbsent() {
        held(lane("orders-0", OptionalLong.of(12)), lane("orders-1", OptionalLong.empty()));
        metrics.refresh();
        assertThat(registry.find("tandem.lag").gauges()).hasSize(1);
        assertThat(registry.find("tandem.lag.age").gauges()).hasSize(2);

        held(lane("orders-0", OptionalLong.empty()), lane("orders-1", OptionalLong.of(0)));
        metrics.refresh();
        assertThat(registry.find("tandem.lag").gauges()).hasSize(1);
        assertThat(lag("orders-1")).isZero();
        assertThat(gauge("tandem.lag.age", "orders-1")).isZero();
    }

    @Test
    void theMetersOfALaneThatLeavesGoAndComeBackWithItOnce() {
        held(lane("orders-0", OptionalLong.of(1)), lane("orders-1", OptionalLong.of(1)));
        metrics.refresh();
        held(lane("orders-1", OptionalLong.of(0)));
        metrics.refresh();
        int ofOne = ofLanes().size();
        assertThat(ofLanes())
                .hasSizeGreaterThan(6)
                .allSatisfy(lane -> assertThat(lane).isEqualTo("orders-1"));

        metrics.onCommitted(batch("orders-0", 1, 0)); // the last batch may be reported after the lane left
        metrics.refresh();
        assertThat(ofLanes()).hasSize(ofOne);

        for (int i = 0; i < 3; i++) {
            held(lane("orders-0", OptionalLong.of(7)), lane("orders-1", OptionalLong.of(0)));
            metrics.refresh();
        }
        assertThat(ofLanes()).hasSize(2 * ofOne);
        assertThat(lag("orders-0")).isEqualTo(7);
    }

    /** It comes back while it is found to have left: what is counted from then on must be seen. */
    @Test
    void aBatchThatIsReportedWhileItsLaneIsRemovedIsCountedByMetersThatAreThere() throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        AtomicReference<StreamMetrics> metrics = new AtomicReference<>();
        MeterRegistry slow = new SimpleMeterRegistry() {
            @Override
            public Meter remove(Meter.Id id) {
                if (workers.isEmpty()) {
                    Thread worker = new Thread(() -> metrics.get().onCommitted(batch("orders-0", 1, 0)));
                    workers.add(worker);
                    worker.start();
                    App.await()
                            .until(() ->
                                    EnumSet.of(BLOCKED, WAITING, TERMINATED).contains(worker.getState()));
                }
                return super.remove(id);
            }
        };
        metrics.set(new StreamMetrics(slow, provider(streams)));
        held(lane("orders-0", OptionalLong.of(1)));
        metrics.get().refresh();
        held();
        metrics.get().refresh();
        workers.get(0).join();

        held(lane("orders-0", OptionalLong.of(0)));
        metrics.get().refresh();
        metrics.get().onCommitted(batch("orders-0", 10, 0));
        assertThat(slow.get("tandem.records").tag("lane", "orders-0").counter().count())
                .isGreaterThanOrEqualTo(10);
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
                "orders", new StreamStatus("orders", StreamStatus.State.RUNNING, Arrays.asList(lanes), null, null));
    }

    private static LaneStatus lane(String name, OptionalLong lag) {
        Backlog backlog = new Backlog(3, 300, Instant.now().minusSeconds(7), null);
        return new LaneStatus(name, LaneState.ACTIVE, true, 1, 0, Offsets.none(), lag, 0, null, backlog);
    }

    private static StreamProgress batch(String lane, int records, int deadLetters) {
        OffsetRange range = new OffsetRange(Offsets.of(lane, 0), Offsets.of(lane, records));
        return new StreamProgress(
                "orders",
                lane,
                0,
                range,
                null,
                records,
                deadLetters,
                OptionalDouble.empty(),
                0,
                Map.of(BatchPhase.HANDLER, Duration.ofMillis(30)),
                0,
                "here",
                1,
                null,
                Instant.EPOCH,
                Duration.ofMillis(40));
    }

    private double counter(String name, String lane) {
        return registry.get(name)
                .tags("stream", "orders", "lane", lane)
                .counter()
                .count();
    }

    /** The lane of each meter that has one. */
    private List<String> ofLanes() {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getTag("lane"))
                .filter(Objects::nonNull)
                .toList();
    }

    private Map<String, Double> states() {
        return registry.get("tandem.lanes").gauges().stream()
                .collect(Collectors.toMap(gauge -> gauge.getId().getTag("state"), Gauge::value));
    }

    private double lag(String lane) {
        return gauge("tandem.lag", lane);
    }

    private double gauge(String name, String lane) {
        return registry.get(name).tags("stream", "orders", "lane", lane).gauge().value();
    }

    private static ObjectProvider<StreamOperations> provider(StreamOperations bean) {
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("streams", bean);
        return beans.getBeanProvider(StreamOperations.class);
    }
}
