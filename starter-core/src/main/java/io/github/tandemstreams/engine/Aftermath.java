package io.github.tandemstreams.engine;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.OnFailure;
import io.github.tandemstreams.RecordFailedException;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.FailureKind;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.Trouble;
import io.github.tandemstreams.checkpoint.Verdict;
import io.github.tandemstreams.sink.Cause;
import io.github.tandemstreams.sink.DeadLetter;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows from the end of a transaction or a claim: which state the lane takes, when it is tried again, and what
 * people are told. The policy of failures stands here and nowhere else.
 *
 * <p>Messages of exceptions may quote what is in records: they stand in the lane's row and in the debug log. What everybody
 * reads, the log from INFO on and health, has what {@link SafeText} leaves of them.
 *
 * <p>Threading: belongs to one worker.
 */
final class Aftermath {

    private static final Logger log = LoggerFactory.getLogger(Aftermath.class);

    private static final String NOTHING_WRITTEN = ". Nothing of it was written.";

    private final StreamDefinition<?> stream;
    private final Checkpoint checkpoint;
    private final FailurePolicy policy;
    private final TroubleLog troubles;
    private final ProgressReporter reporter;
    private final SafeText safe;
    private final Clock clock;

    Aftermath(StreamDefinition<?> stream, TroubleLog troubles, ProgressReporter reporter, Clock clock) {
        this.stream = stream;
        this.checkpoint = stream.checkpoint();
        this.policy = stream.failurePolicy();
        this.troubles = troubles;
        this.reporter = reporter;
        this.safe = new SafeText(checkpoint);
        this.clock = clock;
    }

    // ---- after a transaction

    void of(List<Lane> group, Outcome outcome) {
        if (outcome instanceof Outcome.Committed committed) {
            committed.results().forEach(this::committed);
            committed.planned().forEach(lane -> lane.planned = true);
            committed.refused().forEach(this::movedAway);
        } else if (outcome instanceof Outcome.Fenced fenced) {
            for (Lane lane : group) {
                if (fenced.lanes().contains(lane.id)) {
                    fenced(lane);
                } else {
                    lane.alone = true;
                }
            }
        } else if (outcome instanceof Outcome.Unknown unknown) {
            unknown.perhaps()
                    .forEach(perhaps -> unknown(
                            perhaps.lane(),
                            perhaps,
                            "COMMIT of batch " + perhaps.plan().batch() + " got no answer",
                            unknown.cause()));
            unknown.riders()
                    .forEach(lane -> unknown(
                            lane,
                            null,
                            "its plan was to ride along with a COMMIT that got no answer",
                            unknown.cause()));
        } else if (outcome instanceof Outcome.Failed failed) {
            failed(group, failed);
        }
    }

    private void committed(Result result) {
        Lane lane = result.lane();
        if (lane.failures > 0) {
            log.info(
                    "{}: batch {} committed, after {} that failed",
                    lane.id,
                    result.plan().batch(),
                    lane.failures);
        }
        if (!result.deadLetters().isEmpty()) {
            log.warn(
                    "{}: batch {} committed; dead letters: {}, in table dead_letter with their causes, the first ones: {}",
                    lane.id,
                    result.plan().batch(),
                    result.deadLetters().size(),
                    result.deadLetters().stream()
                            .limit(3)
                            .map(Aftermath::described)
                            .toList());
        }
        Instant lastStart = lane.lastStart;
        lane.lastStart = result.run().startedAt();
        boolean full = lane.committed(
                result.plan(), result.next(), result.deadLetters().size(), result.deadInARow());
        if (full) {
            // Its reading stood still. Of whatever else has changed the source sees at its next poll, which is soon.
            stream.source().wakeUp();
        }
        reporter.committed(result, lastStart);
    }

    /** It has nothing to do any more. */
    void idle(Lane lane) {
        log.debug("{}: idle at {}", lane.id, lane.nextOffset);
        reporter.idle(lane.id);
    }

    private void failed(List<Lane> group, Outcome.Failed failed) {
        Throwable cause = failed.cause();
        if (group.size() > 1) {
            // Who is to blame shows when each runs alone; this was no attempt for any of them.
            log.debug(
                    "Stream '{}': a transaction of {} lanes failed; each runs alone",
                    stream.name(),
                    group.size(),
                    cause);
            group.forEach(lane -> {
                lane.alone = true;
                lane.planAhead = true;
            });
            return;
        }
        Lane lane = group.get(0);
        if (cause instanceof TooManyDeadLettersException || cause instanceof ForeignTransactionException) {
            giveUp(lane, cause, "and that isn't the fault of single records");
            return;
        }
        switch (checkpoint.classify(cause)) {
            case TRANSIENT -> retryWithoutEnd(lane, cause);
            case FATAL -> giveUp(lane, cause, "this can't pass by itself");
            case TIMED_OUT -> timedOut(lane, cause);
            case DATA, HANDLER -> attemptFailed(lane, failed);
        }
    }

    private void retryWithoutEnd(Lane lane, Throwable cause) {
        Instant at = retryAt(lane.failures + 1);
        if (lane.failures == 0) {
            log.warn(
                    "{}: batch {} met a condition that passes by itself, and is run again until it does: {}",
                    lane.id,
                    lane.plan().batch(),
                    safe.line(cause));
        }
        log.debug("{}: next run of batch {} at {}", lane.id, lane.plan().batch(), at, cause);
        checkpoint.recover(cause);
        lane.retry(at, safe.line(cause));
        reporter.retry(lane.id, cause);
    }

    /** Waiting for the locks of a frozen process looks like this too, so no record is to blame. */
    private void timedOut(Lane lane, Throwable cause) {
        lane.attempts++;
        if (lane.attempts >= policy.maxAttempts()) {
            giveUp(lane, cause, lane.attempts + " attempts");
        } else {
            tryAgain(lane, cause);
        }
    }

    private void attemptFailed(Lane lane, Outcome.Failed failed) {
        Throwable cause = failed.cause();
        lane.attempts++;
        lane.lastFailure = cause;
        lane.failedAtCommit = failed.atCommit();
        lane.died = Isolation.isDeath(cause);
        if (lane.trouble.verdict().isPresent()) {
            finalRunFailed(lane, cause);
            return;
        }
        boolean retriesCantHelp = checkpoint.classify(cause) == FailureKind.DATA;
        int runs = lane.untriable ? policy.maxAttempts() : policy.runsBeforeSearch();
        if (policy.onFailure() == OnFailure.DEAD_LETTER && (retriesCantHelp || lane.attempts >= runs)) {
            lookForBadRecords(lane, cause);
        } else if (lane.attempts >= policy.maxAttempts()) {
            giveUp(lane, cause, lane.attempts + " attempts");
        } else {
            tryAgain(lane, cause);
        }
    }

    private void tryAgain(Lane lane, Throwable cause) {
        log.warn(
                "{}: attempt {} of {} of batch {} ({}) failed and was rolled back, nothing of it was written; it is run"
                        + " again: {}",
                lane.id,
                lane.attempts,
                policy.maxAttempts(),
                lane.plan().batch(),
                lane.plan().range(),
                safe.withFrames(cause));
        inFull(lane, cause);
        lane.retry(retryAt(lane.attempts), safe.line(cause));
        reporter.retry(lane.id, cause);
    }

    private void lookForBadRecords(Lane lane, Throwable cause) {
        log.warn(
                "{}: batch {} ({}) failed and was rolled back, nothing of it was written; the records to blame are looked"
                        + " for by trial runs: {}",
                lane.id,
                lane.plan().batch(),
                lane.plan().range(),
                safe.withFrames(cause));
        inFull(lane, cause);
        lane.isolating = true;
        lane.retry(clock.instant(), "looking for the records to blame: " + safe.line(cause));
        reporter.retry(lane.id, cause);
    }

    /** Without the guilty records the batch must run. If it doesn't, they weren't to blame, or not they alone. */
    private void finalRunFailed(Lane lane, Throwable cause) {
        if (lane.untriable && cause instanceof RecordFailedException) {
            lookForBadRecords(lane, cause);
            return;
        }
        int guilty = lane.trouble.verdict().orElse(Verdict.NONE).guilty().size();
        lane.trouble = lane.trouble.withoutVerdict();
        try {
            if (!troubles.note(lane, lane.trouble)) {
                fenced(lane);
                return;
            }
        } catch (RuntimeException unreachable) {
            log.debug("{}: its verdict can't be taken back yet", lane.id, unreachable);
            lane.isolating = true;
            lane.retry(retryAt(lane.failures + 1), safe.line(cause));
            return;
        }
        giveUp(
                lane,
                cause,
                guilty == 0
                        ? "though no record of it fails by itself"
                        : "also without the " + guilty + " records that fail by themselves");
    }

    // ---- after the search for bad records

    void of(Lane lane, Isolation.Finding finding) {
        if (finding instanceof Isolation.Finding.Judged judged) {
            judged(lane, judged.verdict());
        } else if (finding instanceof Isolation.Finding.Untriable untriable) {
            untriable(lane, untriable);
        } else if (finding instanceof Isolation.Finding.Fenced) {
            fenced(lane);
        } else if (finding instanceof Isolation.Finding.Failed failed) {
            searchFailed(lane, failed.cause());
        }
    }

    /** The verdict is stored before the final run, so that every replay parks the same records. */
    private void judged(Lane lane, Verdict verdict) {
        try {
            if (!troubles.note(lane, lane.trouble.with(verdict))) {
                fenced(lane);
                return;
            }
        } catch (RuntimeException unreachable) {
            searchFailed(lane, unreachable);
            return;
        }
        lane.isolating = false;
        lane.notBefore = clock.instant();
        log.warn(
                "{}: batch {} is run without the records to blame: {}, the first ones: {}",
                lane.id,
                lane.plan().batch(),
                verdict.guilty().size(),
                verdict.guilty().stream().map(Aftermath::described).limit(10).toList());
    }

    private static String described(DeadLetter letter) {
        return described(
                letter.record().topic() + "-" + letter.record().partition(),
                letter.record().offset(),
                letter.cause());
    }

    private static String described(Verdict.Guilty guilty) {
        return described(guilty.partition(), guilty.offset(), guilty.cause());
    }

    private static String described(String partition, long offset, Cause cause) {
        return partition + "@" + offset + " (" + cause.type() + ")";
    }

    private void untriable(Lane lane, Isolation.Finding.Untriable untriable) {
        lane.untriable = true;
        if (untriable.isNew()) {
            judged(lane, untriable.named());
            return;
        }
        Throwable cause = Objects.requireNonNullElseGet(
                lane.lastFailure, () -> new EngineException("The process died in the batch, again and again"));
        if (lane.attempts < policy.maxAttempts()) {
            lane.isolating = false;
            tryAgain(lane, cause);
            return;
        }
        giveUp(
                lane,
                cause,
                "and its handler asks for the transaction id, so trial runs can't find the record to blame; such a handler"
                        + " can name it, by throwing a RecordFailedException");
    }

    private void searchFailed(Lane lane, Throwable cause) {
        if (Isolation.isDeath(cause)) {
            log.error(
                    "{}: a trial run of batch {} met an error of the JVM: {}",
                    lane.id,
                    lane.plan().batch(),
                    safe.withFrames(cause));
            inFull(lane, cause);
            lane.retry(retryAt(lane.failures + 1), safe.line(cause));
            reporter.retry(lane.id, cause);
        } else if (checkpoint.classify(cause) == FailureKind.TRANSIENT) {
            retryWithoutEnd(lane, cause);
        } else if (checkpoint.classify(cause) == FailureKind.TIMED_OUT
                && ++lane.searchesTimedOut < policy.maxAttempts()) {
            log.warn(
                    "{}: a trial run of batch {} met a time limit, as behind somebody's lock; the search begins again: {}",
                    lane.id,
                    lane.plan().batch(),
                    safe.line(cause));
            inFull(lane, cause);
            lane.retry(retryAt(lane.searchesTimedOut), safe.line(cause));
            reporter.retry(lane.id, cause);
        } else {
            giveUp(lane, cause, "and the records to blame couldn't be found");
        }
    }

    /** The lane stops as FAILED; if that can't be written, its batch is tried once more, later. */
    private void giveUp(Lane lane, Throwable cause, String why) {
        Plan plan = lane.plan();
        String what = "batch " + plan.batch() + " (" + plan.range() + ") failed, " + why + ": ";
        String problem = what + text(cause) + NOTHING_WRITTEN;
        String told = what + safe.line(cause) + NOTHING_WRITTEN;
        try {
            if (!checkpoint.fail(lane.owned(), problem, null)) {
                fenced(lane);
                return;
            }
        } catch (RuntimeException unwritable) {
            log.warn(
                    "{}: {} The lane can't be marked as failed either, the batch is tried again: {}",
                    lane.id,
                    told,
                    safe.line(unwritable));
            inFull(lane, unwritable);
            inFull(lane, cause);
            lane.retry(retryAt(lane.failures + 1), told);
            return;
        }
        stopFailed(lane, lane.claimed(), problem, told, SafeText.frames(cause));
        inFull(lane, cause);
    }

    /**
     * @param problem for its row
     * @param told for the log
     * @param frames where in the code it was
     */
    private void stopFailed(Lane lane, Claim claim, String problem, String told, String frames) {
        lane.hold(new Claim(
                lane.fence == null ? claim.fence() : lane.owned(),
                claim.generation(),
                claim.topicId(),
                LaneState.FAILED,
                problem,
                Optional.empty(),
                Trouble.NONE,
                claim.deadInARow(),
                claim.lastCommitEpoch()));
        log.error(
                "{}: FAILED: {} The other lanes go on. What failed is told in full in tandem.lane_position. Mend the cause,"
                        + " then resume the lane with StreamOperations.resume(\"{}\", \"{}\").{}",
                lane.id,
                told,
                lane.id.stream(),
                lane.id.lane(),
                frames);
        reporter.failed(lane.id, problem);
    }

    /** The compare failed: buffers and plan are dropped, and the lane is claimed again if it is still ours. */
    void fenced(Lane lane) {
        Fence lost = lane.owned();
        log.info(
                "{}: fenced: somebody else took over (our epoch was {}); batch {} is rolled back here, nothing was"
                        + " written",
                lane.id,
                lost.epoch(),
                lost.lastBatch() + 1);
        loseClaim(lane);
    }

    /** The row of a lane that wasn't running says that somebody else claims it; or its plan couldn't ride along. */
    void movedAway(Lane lane) {
        log.debug(
                "{}: another claim or a command moved it (our epoch was {})",
                lane.id,
                lane.owned().epoch());
        loseClaim(lane);
    }

    /** An operator's command left the lane to whoever claims it: no rival is there to be given time. */
    void commanded(Lane lane) {
        log.debug(
                "{}: a command was given (our epoch was {})",
                lane.id,
                lane.owned().epoch());
        lane.commanded(clock.instant());
        reporter.fenced(lane.id);
    }

    private void loseClaim(Lane lane) {
        lane.fenced(retryAt(lane.fencings + 1));
        reporter.fenced(lane.id);
    }

    /** Nobody knows whether the last transaction was committed; claiming the lane on a new connection tells. */
    void unknown(Lane lane, @Nullable Result perhaps, String what, Throwable cause) {
        log.warn("{}: {} ({}); the lane is claimed again to find out", lane.id, what, safe.line(cause));
        inFull(lane, cause);
        lane.doubt(perhaps, retryAt(lane.failures + 1));
        reporter.retry(lane.id, cause);
    }

    void outOfRange(Lane lane) {
        log.info("{}: offset {} isn't in the topic; its bounds are looked up", lane.id, lane.nextOffset);
        lane.fenced(clock.instant());
    }

    /** A bug, or an error of the JVM: the lane's memory can't be trusted, its row can. */
    void unexpected(Lane lane) {
        lane.fenced(retryAt(lane.fencings + 1));
    }

    // ---- after a claim

    void claimed(Lane lane, Supplier<LaneClaimer.Claimed> claim) {
        lane.compared = clock.instant();
        try {
            LaneClaimer.Claimed result = claim.get();
            if (result instanceof LaneClaimer.Claimed.Ours ours) {
                settle(lane, ours.claim());
                owned(lane, ours.claim());
            } else if (result instanceof LaneClaimer.Claimed.Theirs) {
                loseClaim(lane);
            } else if (result instanceof LaneClaimer.Claimed.NotYet notYet) {
                notClaimed(lane, notYet.why(), null);
            } else if (result instanceof LaneClaimer.Claimed.Broken broken) {
                broken(lane, broken);
            }
        } catch (RuntimeException unreachable) {
            notClaimed(lane, safe.line(unreachable), unreachable);
        }
    }

    private void owned(Lane lane, Claim claim) {
        lane.claimFailures = 0;
        if (claim.state() == LaneState.ACTIVE) {
            log.info("{}: claimed with epoch {}, {}", lane.id, claim.fence().epoch(), goesOn(lane, claim));
            takeUpTrouble(lane);
        } else if (claim.state() == LaneState.FAILED) {
            log.warn(
                    "{}: is FAILED, why is in tandem.lane_position. It runs again after StreamOperations.resume(\"{}\","
                            + " \"{}\").",
                    lane.id,
                    lane.id.stream(),
                    lane.id.lane());
            log.debug("{}: is FAILED: {}", lane.id, claim.failure());
        } else if (claim.state() == LaneState.STOPPED) {
            log.info("{}: is stopped; it runs again after an operator's command 'start'", lane.id);
        } else {
            log.info(
                    "{}: is paused; it runs again after StreamOperations.resume(\"{}\", \"{}\")",
                    lane.id,
                    lane.id.stream(),
                    lane.id.lane());
        }
    }

    /** A batch that processes died in, or were searching when they ended, goes on where they left it. */
    private void takeUpTrouble(Lane lane) {
        Trouble trouble = lane.trouble;
        if (lane.plan == null || trouble.verdict().isPresent()) {
            return;
        }
        boolean exhausted = lane.attempts >= policy.maxAttempts();
        lane.died = exhausted && trouble.search().isEmpty();
        lane.isolating = policy.onFailure() == OnFailure.DEAD_LETTER
                && (exhausted || trouble.search().isPresent());
        if (exhausted && policy.onFailure() == OnFailure.STOP) {
            String why = lane.attempts + " runs were begun and none was finished";
            giveUp(lane, new EngineException("The process died while it ran this batch, or its runs failed"), why);
        }
    }

    private static String goesOn(Lane lane, Claim claim) {
        return claim.plan()
                .map(plan -> "replays batch " + plan.batch() + " with its planned range " + plan.range())
                .orElseGet(() -> "batch " + (claim.fence().lastBatch() + 1) + " starts at " + lane.nextOffset);
    }

    /** Tells of a batch whose commit was in doubt, if it turns out to have happened, under our own epoch. */
    private void settle(Lane lane, Claim claim) {
        Result perhaps = lane.doubtful;
        if (perhaps == null) {
            return;
        }
        lane.doubtful = null;
        boolean committed = claim.fence().lastBatch() == perhaps.plan().batch()
                && claim.lastCommitEpoch().orElse(-1) == perhaps.epoch();
        log.info("{}: batch {} {} committed", lane.id, perhaps.plan().batch(), committed ? "was" : "was not");
        if (committed) {
            lane.failures = 0;
            reporter.committed(perhaps, lane.lastStart);
        }
    }

    private void notClaimed(Lane lane, String why, @Nullable Throwable cause) {
        lane.claimFailures++;
        if (lane.claimFailures == 1) {
            log.warn("{}: can't go on yet, and is tried again until it can: {}", lane.id, why);
        }
        log.debug("{}: claim failed {} times", lane.id, lane.claimFailures, cause);
        lane.notClaimed(retryAt(lane.claimFailures), why);
    }

    private void broken(Lane lane, LaneClaimer.Claimed.Broken broken) {
        try {
            if (checkpoint.fail(broken.claim().fence(), broken.why(), broken.foundTopicId())) {
                stopFailed(lane, broken.claim(), broken.why(), broken.why(), "");
                lane.report(broken.claim().generation());
            } else {
                loseClaim(lane);
            }
        } catch (RuntimeException unwritable) {
            notClaimed(lane, broken.why(), unwritable);
        }
    }

    private Instant retryAt(int failures) {
        return clock.instant().plus(policy.backoff().afterFailures(failures));
    }

    /** For those who look for it: the messages may quote what is in records. */
    private static void inFull(Lane lane, Throwable cause) {
        log.debug("{}: the failure in full", lane.id, cause);
    }

    /** For the lane's row. */
    private static String text(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root == cause ? String.valueOf(cause) : cause.getClass().getSimpleName() + ": " + root;
    }
}
