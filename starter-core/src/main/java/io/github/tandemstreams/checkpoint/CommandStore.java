package io.github.tandemstreams.checkpoint;

import io.github.tandemstreams.CommandConflictException;
import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.CommandRefusedException;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamCommand;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commands of operators, and their audit trail. All methods but {@link #isPending} run in a transaction of their own.
 *
 * <p>Threading: safe for use by several threads.
 */
public interface CommandStore {

    /** Name of this instance, under which it carries commands out. */
    String instance();

    /**
     * Stores a command, and carries it out in the same transaction as far as the database can: after it no batch commits
     * under an epoch from before. One that is still pending then is this instance's to carry out.
     *
     * @throws CommandConflictException if the stream has another version than expected
     * @throws CommandRefusedException if it can't be done as it stands
     */
    CommandRecord give(StreamCommand command);

    /** How many commands the stream has had; 0 for one that was never started. */
    long version(String stream);

    /** A command of the stream. */
    Optional<CommandRecord> find(String stream, long id);

    /** The newest commands of a stream with a smaller id, or of all, without dry runs. */
    List<CommandRecord> history(String stream, @Nullable Long beforeId, int limit);

    /** What is wanted of the stream on all instances; one query. */
    Orders orders(String stream);

    /**
     * Takes a pending command, which nobody is at: neither since a while nor just now.
     *
     * @return empty if somebody is, or if it isn't pending
     */
    Optional<CommandRecord> take(String stream, long id);

    /**
     * Tells that this instance is still at a pending command, so that no other one takes it over.
     *
     * @return false if it isn't pending any more
     */
    boolean stillAt(String stream, long id);

    /**
     * Whether a command is pending, in the transaction that is bound to the thread: until that ends, nobody settles it. To be
     * asked right before COMMIT, since whoever gives a command that settles it waits so long.
     */
    boolean isPending(String stream, long id);

    /** Gives a pending command back that this instance has, for anybody to take. */
    void giveBack(String stream, long id);

    /**
     * Carries a rewind to a timestamp out, if it is pending: moves the lanes back to these offsets, as {@link #give} would. It
     * fails if another command has moved lanes meanwhile or let them go on: then it would read again what nobody looked at.
     *
     * @param found the first offset of each partition whose record isn't older; a lane that stands before it isn't moved
     * @return the command as it is now, done by whoever was first
     */
    CommandRecord rewind(String stream, long id, Offsets found);

    /** Ids of the waiting dead letters that a command is about, in their order, from after an id on. */
    List<Long> letters(String stream, long id, long afterId, int limit);

    /**
     * Settles a command, if it is pending.
     *
     * @param problem why it failed; null if it is done
     * @return the command as it is now
     */
    CommandRecord settle(String stream, long id, @Nullable String problem);

    /**
     * What instances have to obey.
     *
     * @param stopped whether the stream is stopped on all instances
     * @param rewinds pending rewinds that nobody is at, the first ones
     * @param redrives likewise of the re-drives, which may take long
     */
    record Orders(boolean stopped, List<Long> rewinds, List<Long> redrives) {

        /** Nothing was ordered. */
        public static final Orders NONE = new Orders(false, List.of(), List.of());

        public Orders {
            rewinds = List.copyOf(rewinds);
            redrives = List.copyOf(redrives);
        }
    }
}
