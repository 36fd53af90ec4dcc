package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.StreamProgress;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The meters of a stream as a whole: a timer for each phase, a gauge for each state. They stay as long as the application
 * runs; their number doesn't depend on that of the lanes.
 */
final class StreamMeters {

    private final Map<BatchPhase, Timer> phases = new EnumMap<>(BatchPhase.class);
    private volatile Map<LaneState, Long> states = Map.of();

    StreamMeters(MeterRegistry registry, String stream) {
        for (BatchPhase phase : BatchPhase.values()) {
            phases.put(
                    phase,
                    Timer.builder("tandem.batch.phase")
                            .description("What batches spend their time with")
                            .tags("stream", stream, "phase", tag(phase))
                            .register(registry));
        }
        for (LaneState state : LaneState.values()) {
            Gauge.builder("tandem.lanes", this, meters -> meters.states.getOrDefault(state, 0L))
                    .description("Lanes that this instance holds, by their state")
                    .baseUnit("lanes")
                    .tags("stream", stream, "state", tag(state))
                    .register(registry);
        }
    }

    private static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    void committed(StreamProgress progress) {
        progress.phases().forEach((phase, took) -> {
            Timer timer = phases.get(phase);
            if (timer != null) {
                timer.record(took);
            }
        });
    }

    /** The lanes that are held now. */
    void show(Collection<LaneStatus> lanes) {
        states = lanes.stream().collect(Collectors.groupingBy(LaneStatus::state, Collectors.counting()));
    }
}
