package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.StartingOffsets;
import io.github.tandemstreams.source.LaneBounds;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneListener;
import io.github.tandemstreams.source.LaneStart;
import io.github.tandemstreams.source.Source;
import io.github.tandemstreams.source.SourceUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class LagReporterTest {

    @Test
    void whatIsKnownIsToldWhileTheSourceIsAskedForTheRest() throws InterruptedException {
        try (StreamFixture fixture = new StreamFixture(2)) {
            Topics.produce(fixture.topic, 1, 3, i -> "v" + i);
            SlowSource source = new SlowSource(fixture.source(Set.of(fixture.topic)));
            StreamDefinition<?> stream = fixture.stream(fixture.probe(), definition -> definition.source(source))
                    .definition();
            new Registration(stream).run();
            Lane read = claimed(stream, fixture.topic + "-0");
            read.logEnd(5);
            Lane unread = claimed(stream, fixture.topic + "-1");

            LagReporter reporter = new LagReporter(stream, () -> List.of(read, unread));
            Thread lookUp = Threads.daemon("look-up", reporter::lookUp);
            lookUp.start();
            assertThat(source.asked.await(30, TimeUnit.SECONDS)).isTrue();
            reporter.report();
            assertThat(lag(fixture, read)).containsExactly(5L);
            assertThat(lag(fixture, unread)).doesNotContain(3L);

            source.answers.countDown();
            lookUp.join(30_000);
            assertThat(lag(fixture, unread)).containsExactly(3L);
            source.stop();
        }
    }

    /** What is older than a minute is taken for unknown, so also a lane at which nothing happens is told of in time. */
    @Test
    void aLaneAtWhichNothingChangesIsToldOfAgain() {
        try (StreamFixture fixture = new StreamFixture(1)) {
            StreamDefinition<?> stream = fixture.stream(fixture.probe()).definition();
            new Registration(stream).run();
            Lane idle = claimed(stream, fixture.topic + "-0");
            idle.logEnd(0);
            AtomicLong nanoTime = new AtomicLong();
            LagReporter reporter = new LagReporter(stream, () -> List.of(idle), nanoTime::get);
            reporter.report();
            assertThat(lag(fixture, idle)).containsExactly(0L);

            fixture.jdbc.update("update tandem.lane_end set seen_at = seen_at - interval '61 seconds'");
            nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(35));
            reporter.report();
            assertThat(lag(fixture, idle)).as("not each time").containsExactly((Long) null);
            nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(5));
            reporter.report();
            assertThat(lag(fixture, idle)).containsExactly(0L);
        }
    }

    private static Lane claimed(StreamDefinition<?> stream, String name) {
        LaneId id = new LaneId(stream.name(), name);
        Lane lane = new Lane(id, 100, () -> 1000, () -> {});
        lane.run(stream.checkpoint().claim(id, UUID.randomUUID()).orElseThrow(), 0);
        return lane;
    }

    private static List<Long> lag(StreamFixture fixture, Lane lane) {
        return fixture.jdbc.queryForList(
                "select lag from tandem.lane_lag where stream = ? and lane = ?",
                Long.class,
                fixture.name,
                lane.partition());
    }

    /** Takes its time to tell what it holds of lanes. */
    private record SlowSource(Source source, CountDownLatch asked, CountDownLatch answers) implements Source {

        SlowSource(Source source) {
            this(source, new CountDownLatch(1), new CountDownLatch(1));
        }

        @Override
        public Map<String, Supplier<LaneBounds>> bounds(Collection<String> lanes) {
            asked.countDown();
            try {
                answers.await();
            } catch (InterruptedException ended) {
                throw new SourceUnavailableException("the test is over", ended);
            }
            return source.bounds(lanes);
        }

        @Override
        public Set<String> topics() {
            return source.topics();
        }

        @Override
        public Map<String, String> settled() {
            return source.settled();
        }

        @Override
        public Map<String, LaneStart> resolve(Collection<String> topics, StartingOffsets startingOffsets) {
            return source.resolve(topics, startingOffsets);
        }

        @Override
        public void start(LaneListener listener) {
            source.start(listener);
        }

        @Override
        public void stop() {
            source.stop();
        }

        @Override
        public void wakeUp() {
            source.wakeUp();
        }
    }
}
