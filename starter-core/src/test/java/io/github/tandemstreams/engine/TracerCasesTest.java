package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.source.RawRecord;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tracers that do what they must not. */
class TracerCasesTest {

    @Test
    void oneThatThrowsLeavesNoTransactionOpenAndNoStep() {
        try (StreamFixture fixture = new StreamFixture(2)) {
            StreamContract.produce(fixture, 40);
            ThrowingTracer tracer = new ThrowingTracer();
            fixture.stream(fixture.probe(), stream -> stream.tracer(tracer)).start();
            fixture.awaitCaughtUp();
            fixture.stopAll();

            assertThat(tracer.commits).hasValueGreaterThan(2);
            assertThat(tracer.openSteps).hasValue(0);
            assertThat(fixture.database.getHikariPoolMXBean().getActiveConnections())
                    .isZero();
            assertThat(fixture.events).anySatisfy(event -> assertThat(event).startsWith("retry"));
            fixture.ledger.check(fixture.visible());
        }
    }

    /** Throws at the second commit: that of a lane which may share the transaction of the first. */
    private static final class ThrowingTracer implements BatchTracer {

        final AtomicInteger commits = new AtomicInteger();
        final AtomicInteger openSteps = new AtomicInteger();

        @Override
        public Trace begin(String stream, String lane, long batch, List<RawRecord> records) {
            return new Trace() {
                @Override
                public Step commit() {
                    if (commits.incrementAndGet() == 2) {
                        throw new NoClassDefFoundError("broken");
                    }
                    openSteps.incrementAndGet();
                    return (@Nullable Throwable failure) -> openSteps.decrementAndGet();
                }
            };
        }
    }
}
