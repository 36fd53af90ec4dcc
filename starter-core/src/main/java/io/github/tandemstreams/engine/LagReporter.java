package io.github.tandemstreams.engine;

import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.FailureKind;
import io.github.tandemstreams.checkpoint.LaneEnd;
import io.github.tandemstreams.source.LaneBounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the database where the lanes of this instance end, so that the lag of all lanes can be read in one place: also of
 * those that are failed, paused or idle, and whose commits therefore don't tell it.
 *
 * <pre>
 *   each time: lanes for which anything changed, or that weren't written lately: write them, in one statement
 *   beside it, each time: lanes whose end wasn't told lately (nothing is read of one that is held or full): ask the source,
 *              all at once; what is new by its answers: write it
 * </pre>
 *
 * <p>The source is asked by another thread: its answer takes long where a partition has no leader, and what isn't written in
 * time is taken for unknown.
 *
 * <p>It is never in a batch's way, and what it fails to do now is done the next time.
 */
final class LagReporter {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration PERIOD = Duration.ofSeconds(5);

    /** A row older than a minute tells that no instance holds the lane; the database may be slow, too. */
    private static final Duration AT_LEAST_EVERY = Duration.ofSeconds(40);

    private static final Logger log = LoggerFactory.getLogger(LagReporter.class);

    private final StreamDefinition<?> stream;
    private final Supplier<List<Lane>> lanes;
    private final LongSupplier nanoTime;
    private final Periodic writing;
    private final Periodic lookingUp;

    /** Guarded by this; so is what was complained of. */
    private final Map<LaneEnd, Long> written = new HashMap<>();

    private boolean complained;

    /** @param lanes those that this instance holds, asked for each time */
    LagReporter(StreamDefinition<?> stream, Supplier<List<Lane>> lanes) {
        this(stream, lanes, System::nanoTime);
    }

    /** @param nanoTime in place of {@link System#nanoTime()} */
    LagReporter(StreamDefinition<?> stream, Supplier<List<Lane>> lanes, LongSupplier nanoTime) {
        this.stream = stream;
        this.lanes = lanes;
        this.nanoTime = nanoTime;
        this.writing = new Periodic("tandem-" + stream.name() + "-lag", FIRST, PERIOD, this::report);
        this.lookingUp = new Periodic("tandem-" + stream.name() + "-ends", FIRST, PERIOD, this::lookUp);
    }

    void start() {
        writing.start();
        lookingUp.start();
    }

    void stop(Duration timeout) {
        writing.stop(timeout);
        lookingUp.stop(timeout);
    }

    /** Writes what is known, once. */
    void report() {
        attempt(() -> write(lanes.get()));
    }

    /** Asks for what isn't known, once. Also while the database is away: health tells by it that a lane is behind. */
    void lookUp() {
        attempt(() -> {
            List<Lane> held = lanes.get();
            if (lookUpEnds(held)) {
                write(held);
            }
        });
    }

    private void attempt(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException nextTime) {
            complain(nextTime);
        }
    }

    /** Whether there was any to be looked up. */
    private boolean lookUpEnds(List<Lane> held) {
        List<Lane> unknown = held.stream()
                .filter(lane -> lane.status().claimed() && lane.logEndAge().compareTo(PERIOD) > 0)
                .toList();
        if (unknown.isEmpty()) {
            return false;
        }
        Map<String, Supplier<LaneBounds>> bounds = stream.source()
                .bounds(unknown.stream().map(lane -> lane.id.lane()).toList());
        for (Lane lane : unknown) {
            Supplier<LaneBounds> asked = bounds.get(lane.id.lane());
            try {
                if (asked != null) {
                    lane.logEnd(asked.get().latest().get(lane.partition()));
                }
            } catch (RuntimeException nextTime) {
                log.debug("{}: the end of its log can't be told now", lane.id, nextTime);
            }
        }
        return true;
    }

    private synchronized void write(List<Lane> held) {
        long now = nanoTime.getAsLong();
        List<LaneEnd> known = new ArrayList<>();
        for (Lane lane : held) {
            LaneStatus status = lane.status();
            lane.end()
                    .ifPresent(end -> known.add(new LaneEnd(
                            lane.id,
                            status.position(),
                            Offsets.of(lane.partition(), end),
                            status.backlog().oldest())));
        }
        List<LaneEnd> news = known.stream().filter(end -> isNew(end, now)).toList();
        if (!news.isEmpty()) {
            stream.checkpoint().reports().seen(news);
        }
        written.keySet().retainAll(new HashSet<>(known));
        news.forEach(end -> written.put(end, now));
        complained = false;
    }

    private boolean isNew(LaneEnd end, long now) {
        Long before = written.get(end);
        return before == null || now - before >= AT_LEAST_EVERY.toNanos();
    }

    /** What passes by itself needs nobody. */
    private synchronized void complain(RuntimeException failure) {
        if (!complained && stream.checkpoint().classify(failure) == FailureKind.FATAL) {
            complained = true;
            log.warn(
                    "Stream '{}': the ends of its lanes can't be stored, so reports can't tell their lag. Batches aren't"
                            + " affected.",
                    stream.name(),
                    failure);
        }
        log.debug(
                "Stream '{}': the ends of its lanes can't be stored now; next try in {}",
                stream.name(),
                PERIOD,
                failure);
    }
}
