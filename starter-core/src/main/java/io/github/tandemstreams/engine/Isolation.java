package io.github.tandemstreams.engine;

import io.github.tandemstreams.RecordFailedException;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.FailureKind;
import io.github.tandemstreams.checkpoint.RecordKey;
import io.github.tandemstreams.checkpoint.Search;
import io.github.tandemstreams.checkpoint.Verdict;
import io.github.tandemstreams.checkpoint.Verdict.Guilty;
import io.github.tandemstreams.sink.Cause;
import io.github.tandemstreams.source.Decoder;
import io.github.tandemstreams.source.RawRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which records are to blame for a batch that fails, by trial runs that are rolled back.
 *
 * <p>What is judged is always a prefix of the batch: the smallest prefix that fails, without the records found before,
 * names its last record. (Judging any other subset would park good records, such as a child row whose parent comes from
 * the left-out part; and it would never end where records fail only together.)
 *
 * <pre>
 *   with savepoints, in one transaction:
 *     run the batch in 64 parts, one after the other    (or around the record that the handler blamed before)
 *     a part fails: back to before it, and cut it: in front of and behind the record that the handler blames, else in half
 *     a part of one record fails: guilty
 *   without savepoints, or if an exception isn't what ends it: a transaction for each step
 *     write down which prefix is on trial               (so that a process that dies in it is seen by the next one)
 *     run what is known to run, then the parts of what isn't
 *     the first part that fails holds the next guilty record: cut it, until it is that record alone
 *   stepwise, after the process died: the same with one part, half of what is in doubt, and nothing behind it is decoded
 *     it died again: that prefix fails; if one record alone is in doubt it is guilty after max-attempts deaths
 * </pre>
 *
 * <p>The work is bounded. With savepoints the handler gets each of n records once, and for each guilty one at most n/32 of
 * them again; never more than n times the number of cuts, 2 + log2(n/64). Without savepoints a guilty record costs at most
 * log64(n) runs of a prefix, or log2(n) + max-attempts deaths. And no more than max-consecutive-dead-letters records in a
 * row are condemned.
 *
 * <p>Threading: belongs to one worker.
 */
final class Isolation<T extends @Nullable Object> {

    private static final Logger log = LoggerFactory.getLogger(Isolation.class);

    /** Into how many parts a batch is cut at first. */
    private static final int PARTS = 64;

    /** The trials of a batch together may take this many times what its transaction may. */
    private static final int TIME_FACTOR = 4;

    private final StreamDefinition<T> stream;
    private final Decoder<T> decoder;
    private final Checkpoint checkpoint;
    private final HandlerTransactions transactions;
    private final HandlerCall<T> handler;
    private final TroubleLog troubles;
    private final HeldKeys heldKeys;
    private final SearchLock lock;
    private final BooleanSupplier stopping;

    /**
     * @param lock each transaction of a search runs alone
     * @param stopping whether failures may come from the stream's being stopped
     */
    Isolation(
            StreamDefinition<T> stream,
            TroubleLog troubles,
            HeldKeys heldKeys,
            SearchLock lock,
            BooleanSupplier stopping) {
        this.stream = stream;
        this.decoder = stream.decoders().get();
        this.checkpoint = stream.checkpoint();
        this.transactions = new HandlerTransactions(stream);
        this.handler = new HandlerCall<>(stream);
        this.troubles = troubles;
        this.heldKeys = heldKeys;
        this.lock = lock;
        this.stopping = stopping;
    }

    /** What a search came to. */
    sealed interface Finding {

        /** These records fail, by themselves; none if the batch runs part by part. */
        record Judged(Verdict verdict) implements Finding {}

        /** Somebody else owns the lane by now. */
        record Fenced() implements Finding {}

        /** The stream is being stopped, or the lane was revoked: the search tells nothing. */
        record BrokenOff() implements Finding {}

        /**
         * The handler asks for the transaction id, so it can't be tried; this is what it has named by itself so far, and
         * whether that is more than before.
         */
        record Untriable(Verdict named, boolean isNew) implements Finding {}

        /** The trials met something that isn't the records' fault, or too many records fail. */
        record Failed(Throwable cause) implements Finding {}
    }

    /** Which records of the batch in the lane's hand are to blame. */
    Finding judge(Lane lane) {
        Verdict before = lane.trouble.verdict().orElse(Verdict.NONE);
        try {
            Search search = resume(lane);
            return search.stepwise() || lane.withoutSavepoints
                    ? stepByStep(lane, search)
                    : lock.alone(() -> withSavepoints(lane, search));
        } catch (Trials.AsksForIdException asks) {
            return untriable(lane, before);
        } catch (Trials.NoSavepointsException unsupported) {
            log.debug("{}: its transactions have no savepoints", lane.id, unsupported);
            lane.withoutSavepoints = true;
            lane.trouble = lane.trouble.withoutTrial();
            return judge(lane);
        } catch (Throwable failure) {
            if (isBrokenOff(lane)) {
                return new Finding.BrokenOff();
            }
            Throwable cause = failure instanceof NotOfRecordException notOfRecord ? notOfRecord.met : failure;
            if (!isDeath(cause)) {
                lane.trouble = lane.trouble.withoutTrial();
            }
            return new Finding.Failed(cause);
        }
    }

    /** All that is left is what the handler says itself. It is believed only as far as the batch runs without that record. */
    private Finding untriable(Lane lane, Verdict before) {
        if (!(lane.lastFailure instanceof RecordFailedException)) {
            return new Finding.Untriable(before, false);
        }
        // As it was handed to the handler: without those that were named before.
        DecodedBatch<T> batch = DecodedBatch.of(lane, decoder, stream, before, lane.inHand);
        int named = named(lane, batch);
        if (named < 0) {
            return new Finding.Untriable(before, false);
        }
        List<Guilty> guilty = new ArrayList<>(before.guilty());
        guilty.add(guilty(lane, Judged.of(lane, batch).offset(named), Cause.of(lane.lastFailure)));
        guilty.sort(Comparator.comparingLong(Guilty::offset));
        return new Finding.Untriable(new Verdict(guilty, true), true);
    }

    /** Index of the record that the handler blamed when the batch failed last; -1 if it blamed none. */
    private static int named(Lane lane, DecodedBatch<?> batch) {
        return lane.lastFailure instanceof RecordFailedException names
                ? names.indexIn(batch).orElse(-1)
                : -1;
    }

    /** Goes on from where a search was left; one that was in the middle of a trial died in it. */
    private Search resume(Lane lane) {
        long start = lane.plan().range().starts().get(lane.partition());
        Search left = lane.trouble
                .search()
                .orElseGet(() -> Search.from(start, lane.died))
                .withDeathsOf(owner -> isDead(lane, owner));
        UUID judge = left.judge();
        if (judge == null || !isDead(lane, judge)) {
            return left.withoutTrial();
        }
        return left.stepwise() ? died(lane, Judged.inHand(lane), left) : left.afterDeath();
    }

    /** Whether a trial of this owner has no end; under the present claim, it was this process that was about to die. */
    private static boolean isDead(Lane lane, UUID owner) {
        return lane.trouble.begun().contains(owner) || lane.owned().owner().equals(owner);
    }

    /**
     * The records among which the guilty ones are looked for.
     *
     * @param offsets those that could be decoded; where the process may die all in hand, since it may die of decoding one
     * @param end where the batch ends
     */
    private record Judged(long[] offsets, long end) {

        static Judged of(Lane lane, DecodedBatch<?> batch) {
            return new Judged(
                    batch.records().stream().mapToLong(StreamRecord::offset).toArray(), endOf(lane));
        }

        static Judged inHand(Lane lane) {
            return new Judged(lane.inHand.stream().mapToLong(RawRecord::offset).toArray(), endOf(lane));
        }

        private static long endOf(Lane lane) {
            return lane.plan().range().ends().get(lane.partition());
        }

        int size() {
            return offsets.length;
        }

        long offset(int index) {
            return offsets[index];
        }

        /** Index of the first record at or behind an offset. */
        int indexOf(long offset) {
            int index = Arrays.binarySearch(offsets, offset);
            return index < 0 ? -index - 1 : index;
        }

        /** Where a part ends, as an offset. */
        long endOf(Part part) {
            return part.to == offsets.length ? end : offsets[part.to];
        }
    }

    // ---- all in one transaction

    private record Part(int from, int to) {

        int size() {
            return to - from;
        }
    }

    private Finding withSavepoints(Lane lane, Search search) {
        heldKeys.lookUp(lane);
        DecodedBatch<T> batch = DecodedBatch.of(lane, decoder, stream);
        Judged judged = Judged.of(lane, batch);
        if (!begin(lane, search, judged.end())) {
            return new Finding.Fenced();
        }
        List<Guilty> guilty = new ArrayList<>(search.guilty());
        try (Trials<T> trials = open(lane, batch)) {
            Deque<Part> open = new ArrayDeque<>();
            Part rest = new Part(judged.indexOf(search.passed()), judged.size());
            int blamed = named(lane, batch);
            pushAll(open, blamed < rest.from ? cut(rest.from, rest.to, PARTS) : cutAround(rest, blamed));
            while (!open.isEmpty()) {
                if (isBrokenOff(lane)) {
                    return new Finding.BrokenOff();
                }
                Part part = open.pop();
                Object before = trials.savepoint();
                Trials.Failure failure = trials.run(part.from, part.to);
                if (failure == null) {
                    continue;
                }
                requireOfRecord(failure.cause());
                trials.rollBackTo(before);
                if (part.size() > 1) {
                    pushAll(open, cutAround(part, failure.named().orElse(-1)));
                } else {
                    guilty.add(guilty(lane, judged.offset(part.from), Cause.of(failure.cause())));
                    requireFew(lane, judged, guilty);
                }
            }
        }
        return new Finding.Judged(new Verdict(guilty));
    }

    /** In front of the record that is blamed, it alone, and behind it; in half if none is. */
    private static List<Part> cutAround(Part part, int named) {
        if (named < part.from || named >= part.to) {
            return cut(part.from, part.to, 2);
        }
        List<Part> parts = new ArrayList<>();
        for (Part piece :
                List.of(new Part(part.from, named), new Part(named, named + 1), new Part(named + 1, part.to))) {
            if (piece.size() > 0) {
                parts.add(piece);
            }
        }
        return parts;
    }

    private static void pushAll(Deque<Part> open, List<Part> parts) {
        for (int i = parts.size() - 1; i >= 0; i--) {
            open.push(parts.get(i));
        }
    }

    private static List<Part> cut(int from, int to, int pieces) {
        List<Part> parts = new ArrayList<>();
        int size = Math.max(1, (to - from + pieces - 1) / pieces);
        for (int start = from; start < to; start += size) {
            parts.add(new Part(start, Math.min(to, start + size)));
        }
        return parts;
    }

    // ---- a transaction for each step

    private Finding stepByStep(Lane lane, Search from) throws InterruptedException {
        heldKeys.lookUp(lane);
        Search search = from;
        Judged inHand = Judged.inHand(lane);
        Judged decodable = from.stepwise() ? inHand : Judged.of(lane, DecodedBatch.of(lane, decoder, stream));
        while (true) {
            Judged judged = search.stepwise() ? inHand : decodable;
            List<Part> parts = inDoubt(judged, search);
            if (parts.isEmpty()) {
                return new Finding.Judged(new Verdict(search.guilty()));
            }
            if (isBrokenOff(lane)) {
                return new Finding.BrokenOff();
            }
            if (!begin(lane, search, judged.endOf(parts.get(parts.size() - 1)))) {
                return new Finding.Fenced();
            }
            Search trying = lane.trouble.search().orElseThrow();
            search = lock.alone(() -> step(lane, judged, trying, parts));
            requireFew(lane, judged, search.guilty());
        }
    }

    /** What isn't known to run: all of it in parts, or, where the process may die, half of what is known to fail. */
    private static List<Part> inDoubt(Judged judged, Search search) {
        int from = judged.indexOf(search.passed());
        int to = search.failed() == Search.UNKNOWN ? judged.size() : judged.indexOf(search.failed());
        if (!search.stepwise()) {
            return cut(from, to, PARTS);
        }
        if (from == to) {
            return List.of();
        }
        return List.of(new Part(from, search.failed() == Search.UNKNOWN ? to : from + Math.max(1, (to - from) / 2)));
    }

    private Search step(Lane lane, Judged judged, Search search, List<Part> parts) {
        DecodedBatch<T> batch;
        try {
            List<RawRecord> onTrial = lane.inHand.stream()
                    .filter(record -> record.offset() < search.trial())
                    .toList();
            batch = DecodedBatch.of(lane, decoder, stream, new Verdict(search.guilty()), onTrial);
        } catch (VirtualMachineError death) {
            return failed(lane, judged, search, new Part(0, judged.size()), death);
        }
        try (Trials<T> trials = open(lane, batch)) {
            Trials.Failure unexpected = trials.run(record -> record.offset() < search.passed());
            if (unexpected != null) {
                requireOfRecord(unexpected.cause());
                throw new FickleHandlerException(lane, unexpected.cause());
            }
            for (Part part : parts) {
                long end = judged.endOf(part);
                Trials.Failure failure =
                        trials.run(record -> record.offset() >= judged.offset(part.from) && record.offset() < end);
                if (failure != null) {
                    return failed(lane, judged, search, part, failure.cause());
                }
            }
        }
        return search.passedUpTo(search.trial());
    }

    private Search failed(Lane lane, Judged judged, Search search, Part part, Throwable cause) {
        if (isDeath(cause)) {
            return died(lane, judged, search);
        }
        requireOfRecord(cause);
        return part.size() == 1
                ? search.condemned(guilty(lane, judged.offset(part.from), Cause.of(cause)))
                : search.failedBetween(judged.offset(part.from), judged.endOf(part));
    }

    /** The process died in the trial, or was about to. */
    private Search died(Lane lane, Judged judged, Search search) {
        int from = judged.indexOf(search.passed());
        int to = judged.indexOf(search.trial());
        if (to - from > 1) {
            return search.failedBetween(search.passed(), search.trial()).afterDeath();
        }
        Search dead = search.diedInTrial();
        if (to == from || dead.deaths().size() < stream.failurePolicy().maxAttempts()) {
            return dead;
        }
        String what =
                "The process died " + dead.deaths().size() + " times in a trial run that this record was the end of";
        return dead.condemned(
                guilty(lane, judged.offset(from), new Cause("io.github.tandemstreams.ProcessDied", what, null)));
    }

    // ---- both

    private Trials<T> open(Lane lane, DecodedBatch<T> batch) {
        Duration timeout = stream.transactionTimeout().multipliedBy(TIME_FACTOR);
        Trials<T> trials = new Trials<>(
                handler, checkpoint, batch, lane.failedAtCommit, transactions, transactions.begin(timeout));
        try {
            checkpoint.limitIdleTime(stream.transactionTimeout());
            return trials;
        } catch (RuntimeException unreachable) {
            trials.close();
            throw unreachable;
        }
    }

    /** Writes down that the prefix before {@code end} is on trial now. */
    private boolean begin(Lane lane, Search search, long end) {
        return troubles.note(
                lane, lane.trouble.with(search.trying(end, lane.owned().owner())));
    }

    private boolean isBrokenOff(Lane lane) {
        return stopping.getAsBoolean() || lane.isRevoked();
    }

    /** What isn't a record's fault ends the search. */
    private void requireOfRecord(Throwable cause) {
        FailureKind kind = checkpoint.classify(cause);
        if (stopping.getAsBoolean()
                || isDeath(cause)
                || cause instanceof ForeignTransactionException
                || (kind != FailureKind.DATA && kind != FailureKind.HANDLER)) {
            throw new NotOfRecordException(cause);
        }
    }

    /** What ended a search although it isn't a record's fault. */
    private static final class NotOfRecordException extends RuntimeException {

        private final transient Throwable met;

        NotOfRecordException(Throwable met) {
            super(met);
            this.met = met;
        }
    }

    private void requireFew(Lane lane, Judged judged, List<Guilty> guilty) {
        DeadRun dead = new DeadRun(stream.failurePolicy().maxConsecutiveDeadLetters(), lane.deadInARow);
        Map<Long, RecordKey> keys = stream.failurePolicy().holdKey() ? lane.keysByOffset() : Map.of();
        Set<RecordKey> held = new HashSet<>();
        int next = 0;
        for (long offset : judged.offsets()) {
            if (next == guilty.size()) {
                return;
            }
            if (guilty.get(next).offset() == offset) {
                RecordKey key = keys.get(offset);
                // Behind the first of its key a record is held, whether it fails or not.
                if (key == null || held.add(key)) {
                    dead.add(guilty.get(next).cause());
                }
                next++;
            } else {
                dead.interrupt();
            }
        }
    }

    /** Memory that has run out may be the batch's fault or not: the same as a process that dies. */
    static boolean isDeath(Throwable cause) {
        return cause instanceof VirtualMachineError && !(cause instanceof StackOverflowError);
    }

    private static Guilty guilty(Lane lane, long offset, Cause cause) {
        return new Guilty(lane.partition(), offset, cause);
    }
}
