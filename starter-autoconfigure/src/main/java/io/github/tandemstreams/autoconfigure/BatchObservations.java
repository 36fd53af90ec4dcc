package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.engine.BatchTracer;
import io.github.tandemstreams.source.RawRecord;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An observation for each run of a batch, with its handler and its commit as children: {@code tandem.batch}, {@code
 * tandem.handler}, {@code tandem.commit}. What the handler observes itself is below its own one.
 *
 * <p>Handlers of observations are the application's; what they throw is logged once and changes nothing, unless the virtual
 * machine itself is at its end.
 *
 * <p>Threading: used by all workers.
 */
final class BatchObservations implements BatchTracer {

    private static final Logger log = LoggerFactory.getLogger(BatchObservations.class);

    private final ObservationRegistry registry;
    private final Function<Observation.ContextView, @Nullable String> traceIds;
    private volatile boolean complained;

    /** @param traceIds tells the id of the trace that an observation is part of */
    BatchObservations(ObservationRegistry registry, Function<Observation.ContextView, @Nullable String> traceIds) {
        this.registry = registry;
        this.traceIds = traceIds;
    }

    @Override
    public Trace begin(String stream, String lane, long batch, List<RawRecord> records) {
        if (registry.isNoop()) {
            return Trace.NONE;
        }
        return safely(Trace.NONE, () -> {
            BatchObservationContext context = new BatchObservationContext(records);
            Observation observation = Observation.createNotStarted("tandem.batch", () -> context, registry)
                    .contextualName("batch " + stream)
                    .lowCardinalityKeyValue("stream", stream)
                    .lowCardinalityKeyValue("lane", lane)
                    .highCardinalityKeyValue("batch", Long.toString(batch))
                    .start();
            return new Observed(stream, lane, observation);
        });
    }

    private final class Observed implements Trace {

        private final String stream;
        private final String lane;
        private final Observation batch;

        Observed(String stream, String lane, Observation batch) {
            this.stream = stream;
            this.lane = lane;
            this.batch = batch;
        }

        @Override
        public @Nullable String id() {
            return safely(Optional.<String>empty(), () -> Optional.ofNullable(traceIds.apply(batch.getContextView())))
                    .orElse(null);
        }

        @Override
        public Step handler() {
            return child("tandem.handler", "handler " + stream);
        }

        @Override
        public Step commit() {
            return child("tandem.commit", "commit " + stream);
        }

        private Step child(String name, String shown) {
            return safely(Step.NONE, () -> {
                Observation child = Observation.createNotStarted(name, registry)
                        .contextualName(shown)
                        .lowCardinalityKeyValue("stream", stream)
                        .lowCardinalityKeyValue("lane", lane)
                        .parentObservation(batch)
                        .start();
                Observation.Scope around = registry.getCurrentObservationScope();
                Observation.Scope scope = open(child, around);
                return failure -> safely(Boolean.TRUE, () -> {
                    try {
                        scope.close();
                    } finally {
                        registry.setCurrentObservationScope(around);
                        stop(child, failure);
                    }
                    return true;
                });
            });
        }

        @Override
        public void end(@Nullable Throwable failure) {
            safely(Boolean.TRUE, () -> {
                stop(batch, failure);
                return true;
            });
        }
    }

    /** Nothing is left open on the thread if a handler of observations throws. */
    private Observation.Scope open(Observation observation, Observation.@Nullable Scope around) {
        try {
            return observation.openScope();
        } catch (Throwable broken) {
            registry.setCurrentObservationScope(around);
            observation.stop();
            throw broken;
        }
    }

    private static void stop(Observation observation, @Nullable Throwable failure) {
        if (failure != null) {
            observation.error(failure);
        }
        observation.stop();
    }

    private <V> V safely(V otherwise, Supplier<V> call) {
        try {
            return call.get();
        } catch (VirtualMachineError serious) {
            throw serious;
        } catch (Throwable broken) {
            if (!complained) {
                complained = true;
                log.warn("An observation handler threw; the stream goes on", broken);
            }
            return otherwise;
        }
    }
}
