package io.github.tandemstreams;

import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an operator wants of a stream, or of one of its lanes. Immutable; each {@code with…} gives a changed copy.
 *
 * <pre>{@code
 * commands.submit(StreamCommand.rewind("flights", new StreamCommand.ToTimestamp(midnight))
 *         .by("anna").because("prices were wrong").expecting(version));
 * }</pre>
 *
 * @param stream name of the stream
 * @param lane the lane, or null for the whole stream
 * @param action what is to be done
 * @param target where to, or which ones; null for actions that need none
 * @param dryRun whether it is only told what would be done
 * @param expectedVersion the stream's version that the operator saw; null to act whatever others did since
 * @param issuedBy who wants it; null for the database's user
 * @param reason why
 */
public record StreamCommand(
        String stream,
        @Nullable String lane,
        Action action,
        @Nullable Target target,
        boolean dryRun,
        @Nullable Long expectedVersion,
        @Nullable String issuedBy,
        @Nullable String reason) {

    /** What can be done. The table has them in lower case. */
    public enum Action {
        /** The lanes run no further batch, on any instance, until {@link #RESUME}. They stay assigned. */
        PAUSE,
        /** Paused and failed lanes go on from where they stood. Those that were stopped stay so. */
        RESUME,
        /**
         * The stream leaves its consumer group on all instances until {@link #START}; or a lane runs no further batch until then.
         * Re-drives that are given and not done are broken off.
         */
        STOP,
        /** Takes back {@link #STOP}. */
        START,
        /** The lanes go back and process again what they have processed: under new batch ids. */
        REWIND,
        /** A lane leaves out what comes next. Needs a reason. */
        SKIP,
        /** Dead letters are processed again, each in a transaction of its own. */
        REDRIVE,
        /** Dead letters are given up. Needs a reason. */
        DISCARD,
        /** Tells that the database was restored from a backup: transaction ids get a new generation. */
        RESTORED
    }

    /** Where to, or which ones. */
    public sealed interface Target permits ToBatch, ToTimestamp, ToOffsets, Letters {}

    /** The start of a batch of the lane. Only as long as the offset log has it. */
    public record ToBatch(long batch) implements Target {}

    /** The first record of each partition whose timestamp isn't before. */
    public record ToTimestamp(Instant timestamp) implements Target {}

    /** Offsets of partitions: of a rewind the first ones to be read again, of a skip those where it goes on. */
    public record ToOffsets(Offsets offsets) implements Target {}

    /**
     * Dead letters that wait, parked or held. What is null leaves out nothing.
     *
     * @param ids these; empty for all
     * @param causeClass name of the exception's class
     * @param parkedBefore those parked before
     */
    public record Letters(
            Set<Long> ids,
            @Nullable String causeClass,
            @Nullable Instant parkedBefore) implements Target {

        /** All that wait. */
        public static final Letters ALL = new Letters(Set.of(), null, null);

        public Letters {
            ids = Set.copyOf(ids);
        }

        /** One of them. */
        public static Letters one(long id) {
            return new Letters(Set.of(id), null, null);
        }
    }

    public StreamCommand {
        Objects.requireNonNull(stream, "stream");
        Objects.requireNonNull(action, "action");
    }

    /** A command that needs no target, for the whole stream. */
    public static StreamCommand of(String stream, Action action) {
        return new StreamCommand(stream, null, action, null, false, null, null, null);
    }

    /** Goes back to a batch, a time, or offsets. */
    public static StreamCommand rewind(String stream, Target to) {
        return of(stream, Action.REWIND).withTarget(to);
    }

    /** Goes on at these offsets, which lie ahead. */
    public static StreamCommand skip(String stream, Offsets to, String reason) {
        return of(stream, Action.SKIP).withTarget(new ToOffsets(to)).because(reason);
    }

    /** The same for one lane. */
    public StreamCommand withLane(@Nullable String one) {
        return new StreamCommand(stream, one, action, target, dryRun, expectedVersion, issuedBy, reason);
    }

    /** The same with a target. */
    public StreamCommand withTarget(@Nullable Target where) {
        return new StreamCommand(stream, lane, action, where, dryRun, expectedVersion, issuedBy, reason);
    }

    /** The same, only to be told what it would do. */
    public StreamCommand asDryRun() {
        return new StreamCommand(stream, lane, action, target, true, expectedVersion, issuedBy, reason);
    }

    /** The same, refused if another command came in between. */
    public StreamCommand expecting(@Nullable Long version) {
        return new StreamCommand(stream, lane, action, target, dryRun, version, issuedBy, reason);
    }

    /** The same, by somebody. */
    public StreamCommand by(@Nullable String who) {
        return new StreamCommand(stream, lane, action, target, dryRun, expectedVersion, who, reason);
    }

    /** The same, with a reason. */
    public StreamCommand because(@Nullable String why) {
        return new StreamCommand(stream, lane, action, target, dryRun, expectedVersion, issuedBy, why);
    }
}
