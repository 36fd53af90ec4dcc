package io.github.tandemstreams.engine;

import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.CommandRefusedException;
import io.github.tandemstreams.Redrive;
import io.github.tandemstreams.StreamCommand.Target;
import io.github.tandemstreams.StreamCommand.ToTimestamp;
import io.github.tandemstreams.checkpoint.CommandStore;
import io.github.tandemstreams.checkpoint.FailureKind;
import io.github.tandemstreams.source.SourceUnavailableException;
import io.github.tandemstreams.source.TopicNotFoundException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what the database can't do by itself: asks the source for the offsets of a timestamp, or runs dead letters
 * through the handler.
 *
 * <p>The invariant: whoever does it, and however often it is begun, it takes effect once. A rewind is applied by the
 * statement that finds the command pending; a dead letter is taken in the transaction that processes it.
 *
 * <p>Threading: belongs to one thread, on which no transaction is bound.
 */
final class CommandExecution {

    private static final Logger log = LoggerFactory.getLogger(CommandExecution.class);

    /** How many dead letters are looked up at a time. */
    private static final int PAGE = 500;

    /** How often it is told that it goes on. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(1);

    private final StreamDefinition<?> stream;
    private final CommandStore commands;
    private final BooleanSupplier stopped;

    /** @param stopped whether to leave the rest to another instance */
    CommandExecution(StreamDefinition<?> stream, BooleanSupplier stopped) {
        this.stream = stream;
        this.commands = stream.checkpoint().commands();
        this.stopped = stopped;
    }

    /**
     * Carries it out.
     *
     * @return the command as it is now: settled, perhaps by a stop of the stream, or pending if source or database can't do it
     *     now or the stream was stopped here
     */
    CommandRecord carryOut(CommandRecord command) {
        Target target = command.command().target();
        try {
            return target instanceof ToTimestamp to ? rewind(command, to) : redrive(command);
        } catch (SourceUnavailableException | TopicNotFoundException later) {
            log.warn(
                    "Stream '{}': command {} waits for its source: {}",
                    stream.name(),
                    command.id(),
                    later.getMessage());
            return later(command);
        } catch (RuntimeException failure) {
            FailureKind kind = stream.checkpoint().classify(failure);
            if (kind == FailureKind.TRANSIENT || kind == FailureKind.TIMED_OUT) {
                log.warn(
                        "Stream '{}': command {} waits for its database: {}",
                        stream.name(),
                        command.id(),
                        new SafeText(stream.checkpoint()).line(failure));
                return later(command);
            }
            log.warn(
                    "Stream '{}': command {} failed: {}",
                    stream.name(),
                    command.id(),
                    new SafeText(stream.checkpoint()).withFrames(failure));
            log.debug("Stream '{}': command {} failed", stream.name(), command.id(), failure);
            return commands.settle(stream.name(), command.id(), described(failure));
        }
    }

    /**
     * It was given, so whoever gave it mustn't be told to try again. If the database can't be asked what became of it, it is as it
     * was; after a minute somebody takes it.
     */
    private CommandRecord later(CommandRecord command) {
        try {
            commands.giveBack(stream.name(), command.id());
            return commands.find(stream.name(), command.id()).orElse(command);
        } catch (RuntimeException unreachable) {
            log.debug("Stream '{}': command {} couldn't be given back", stream.name(), command.id(), unreachable);
            return command;
        }
    }

    /** What a database says may repeat what is private; what is refused says itself why. */
    private static String described(RuntimeException failure) {
        return failure instanceof CommandRefusedException
                ? String.valueOf(failure.getMessage())
                : failure.getClass().getName() + "; its text is in the log of the instance";
    }

    private CommandRecord rewind(CommandRecord command, ToTimestamp to) {
        return commands.rewind(
                stream.name(),
                command.id(),
                stream.source().at(command.command().lane(), to.timestamp()));
    }

    private CommandRecord redrive(CommandRecord command) {
        Mandate mandate = new Mandate(command);
        Tally tally = new Tally();
        new RedriveRun(
                        new Redriver<>(stream, stopped, mandate::holds),
                        after -> commands.letters(stream.name(), command.id(), after, PAGE),
                        mandate::goesOn)
                .run(tally::count);
        if (stopped.getAsBoolean()) {
            return later(command);
        }
        return commands.settle(stream.name(), command.id(), tally.problem());
    }

    /** Whether the command is to be carried out still; tells others now and then that somebody is at it. */
    private final class Mandate {

        private final CommandRecord command;
        private boolean pending = true;
        private long told = System.nanoTime();

        Mandate(CommandRecord command) {
            this.command = command;
        }

        boolean goesOn() {
            if (pending && !stopped.getAsBoolean() && System.nanoTime() - told > SIGN_OF_LIFE.toNanos()) {
                pending = commands.stillAt(stream.name(), command.id());
                told = System.nanoTime();
            }
            return pending && !stopped.getAsBoolean();
        }

        /** In the transaction of a dead letter. */
        boolean holds() {
            pending = commands.isPending(stream.name(), command.id());
            return pending;
        }
    }

    /** How the re-drives ended. */
    private static final class Tally {

        private int done;
        private int failed;
        private int behind;
        private @Nullable String first;

        void count(long letter, Redrive redrive) {
            switch (redrive.outcome()) {
                case DONE -> done++;
                case BEHIND_ANOTHER -> behind++;
                case NOT_WAITING -> {}
                case FAILED -> {
                    failed++;
                    Throwable failure = redrive.failure();
                    if (first == null && failure != null) {
                        // Its message may repeat what is private, and the audit trail isn't erased.
                        first = "dead letter " + letter + " with "
                                + failure.getClass().getName();
                    }
                }
            }
        }

        @Nullable
        String problem() {
            if (failed + behind == 0) {
                return null;
            }
            return done + " were processed" + (failed == 0 ? "" : ", " + failed + " failed again, first " + first)
                    + (behind == 0 ? "" : ", " + behind + " wait behind others of their keys");
        }
    }
}
