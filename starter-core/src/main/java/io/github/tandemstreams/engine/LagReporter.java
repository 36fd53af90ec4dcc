package io.github.tandemstreams.engine;

import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.FailureKind;
import io.github.tandemstreams.checkpoint.LaneEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the database where the lanes of this instance end, so that the lag of all lanes can be read in one place: also of
 * those that are failed, paused or idle, and whose commits therefore don't tell it.
 *
 * <pre>
 *   each time: lanes for which anything changed, or that weren't written lately, and were seen since: write them, in one
 *              statement
 *   beside it, each time: lanes whose end wasn't told lately: ask the source, all at once; what is new by its answers: write it
 *              "lately" is a moment ago for a lane of which nothing is read (it is held or full)
 *              and a while ago for one that is read: the source tells if its end moves, and is silent if it can't be reached
 * </pre>
 *
 * <p>What the source doesn't tell isn't known after a while, and that is a trouble of the stream: it waits for its source, and
 * of a lane that had nothing to do nothing else shows that.
 *
 * <p>The source is asked by another thread: its answer takes long where a partition has no leader, and what isn't written in
 * time is taken for unknown.
 *
 * <p>It is never in a batch's way, and what it fails to do now is done the next time.
 */
final class LagReporter {

    /**
     * How often it looks.
     *
     * @param period from one time to the next
     * @param confirmAfter how old the end of a lane that is read may be before the source is asked for it
     * @param knownFor how old it may be before it isn't known any more: the views say the same of their rows, and the source
     *     may fail to answer once
     */
    record Pace(Duration period, Duration confirmAfter, Duration knownFor) {

        static final Pace DEFAULT = new Pace(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(1));

        /** How old a row may be before it's written anew, with what was seen since: each time a lane that is read is confirmed. */
        Duration rewriteAfter() {
            return confirmAfter.minus(period);
        }
    }

    private static final Duration FIRST = Duration.ofSeconds(1);

    /** Names of lanes in a message. */
    private static final int NAMED = 3;

    private static final Logger log = LoggerFactory.getLogger(LagReporter.class);

    private final StreamDefinition<?> stream;
    private final Supplier<List<Lane>> lanes;
    private final Pace pace;
    private final SafeText safe;
    private final Periodic writing;
    private final Periodic lookingUp;
    private volatile @Nullable Problem trouble;

    /** When each end was seen that was written last, by {@link System#nanoTime()}. Guarded by this; so is what was complained of. */
    private final Map<LaneEnd, Long> written = new HashMap<>();

    private boolean complained;

    /** @param lanes those that this instance holds, asked for each time */
    LagReporter(StreamDefinition<?> stream, Supplier<List<Lane>> lanes, Pace pace) {
        this.stream = stream;
        this.lanes = lanes;
        this.pace = pace;
        this.safe = new SafeText(stream.checkpoint());
        this.writing = new Periodic("tandem-" + stream.name() + "-lag", FIRST, pace.period(), this::report);
        this.lookingUp = new Periodic("tandem-" + stream.name() + "-ends", FIRST, pace.period(), this::lookUp);
    }

    void start() {
        writing.start();
        lookingUp.start();
    }

    void stop(Duration timeout) {
        writing.stop(timeout);
        lookingUp.stop(timeout);
    }

    /** What keeps the source from telling where lanes end, for so long that it isn't known any more; null if nothing does. */
    @Nullable
    Problem trouble() {
        return trouble;
    }

    /** Writes what is known, once. */
    void report() {
        attempt(() -> write(lanes.get()));
    }

    /** Asks for what isn't known, once. Also while the database is away: health tells by it that a lane is behind. */
    void lookUp() {
        List<Lane> held = lanes.get();
        List<Lane> asked = toAsk(held);
        tellTrouble(asked.isEmpty() ? null : ask(asked), held);
        if (!asked.isEmpty()) {
            attempt(() -> write(held));
        }
    }

    private void attempt(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException nextTime) {
            complain(nextTime);
        }
    }

    /** If a lane that is read must be asked for, all are, so that it doesn't come to more questions. */
    private List<Lane> toAsk(List<Lane> held) {
        List<Lane> old = held.stream()
                .filter(lane -> lane.status().claimed() && isOlder(lane, pace.period()))
                .toList();
        return old.stream().anyMatch(lane -> isOlder(lane, pace.confirmAfter()))
                ? old
                : old.stream().filter(lane -> !lane.wantsMore()).toList();
    }

    private static boolean isOlder(Lane lane, Duration age) {
        return lane.logEnd().within(age).isEmpty();
    }

    /** What went wrong, last; null if nothing did. */
    private @Nullable RuntimeException ask(List<Lane> asked) {
        RuntimeException failure = null;
        Map<Lane, LogEnd> before = new LinkedHashMap<>();
        asked.forEach(lane -> before.put(lane, lane.logEnd()));
        try {
            Map<String, Supplier<Offsets>> ends = stream.source()
                    .ends(asked.stream().map(lane -> lane.id.lane()).toList());
            for (Map.Entry<Lane, LogEnd> known : before.entrySet()) {
                Lane lane = known.getKey();
                try {
                    Supplier<Offsets> answer = Objects.requireNonNull(ends.get(lane.id.lane()));
                    lane.logEnd(known.getValue(), answer.get().get(lane.partition()));
                } catch (RuntimeException nextTime) {
                    log.debug("{}: the end of its log can't be told now", lane.id, nextTime);
                    failure = nextTime;
                }
            }
        } catch (RuntimeException nextTime) {
            log.debug("Stream '{}': the ends of its lanes can't be asked for now", stream.name(), nextTime);
            failure = nextTime;
        }
        return failure;
    }

    private void tellTrouble(@Nullable RuntimeException failure, List<Lane> held) {
        List<String> unknown = held.stream()
                .filter(lane -> lane.status().claimed() && isOlder(lane, pace.knownFor()))
                .map(lane -> lane.id.lane())
                .toList();
        Problem before = trouble;
        if (failure != null && !unknown.isEmpty()) {
            Problem found = Problem.after(before, text(unknown, failure), Instant.now());
            if (before == null) {
                log.warn("Stream '{}': {}", stream.name(), found.text());
            }
            trouble = found;
        } else if (before != null) {
            log.info("Stream '{}': its source tells again where lanes end", stream.name());
            trouble = null;
        }
    }

    private String text(List<String> unknown, RuntimeException failure) {
        String more = unknown.size() > NAMED ? " and " + (unknown.size() - NAMED) + " more" : "";
        return "waits for its source, which doesn't tell where lanes "
                + String.join(", ", unknown.subList(0, Math.min(NAMED, unknown.size()))) + more
                + " end; their lag isn't known until it does: " + safe.ofSource(failure);
    }

    private synchronized void write(List<Lane> held) {
        Map<LaneEnd, Duration> known = new LinkedHashMap<>();
        for (Lane lane : held) {
            LaneStatus status = lane.status();
            LogEnd end = lane.logEnd();
            if (status.claimed()) {
                end.within(pace.knownFor())
                        .ifPresent(offset -> known.put(
                                new LaneEnd(
                                        lane.id,
                                        status.position(),
                                        Offsets.of(lane.partition(), offset),
                                        status.backlog().oldest()),
                                end.age()));
            }
        }
        long now = System.nanoTime();
        Map<LaneEnd, Duration> news = new LinkedHashMap<>(known);
        news.entrySet()
                .removeIf(end -> !isNew(end.getKey(), now - end.getValue().toNanos()));
        if (!news.isEmpty()) {
            stream.checkpoint().reports().seen(news);
        }
        written.keySet().retainAll(known.keySet());
        news.forEach((end, age) -> written.put(end, now - age.toNanos()));
        complained = false;
    }

    private boolean isNew(LaneEnd end, long seenAt) {
        Long before = written.get(end);
        return before == null || seenAt - before >= pace.rewriteAfter().toNanos();
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
                pace.period(),
                failure);
    }
}
