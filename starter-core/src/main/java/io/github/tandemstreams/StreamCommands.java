package io.github.tandemstreams;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Steers streams for all instances. A command is a row of the table {@code operator_command}, where it stays as audit trail;
 * whoever inserts such a row by SQL gives the same command. It survives restarts, and no batch commits under an epoch from
 * before it.
 *
 * <p>Threading: may be called from any thread on which no transaction is bound. All methods throw {@link
 * IllegalArgumentException} for a stream that isn't configured here, and when the database can't be reached {@link
 * org.springframework.transaction.TransactionException} or {@link org.springframework.dao.DataAccessException}, which are
 * also thrown when somebody holds a lock for too long (SQLState 55P03).
 */
public interface StreamCommands {

    /**
     * Gives a command and waits until it is carried out. What needs an instance, a re-drive or the offsets of a timestamp,
     * is done by this one, on a thread of its own.
     *
     * @return what it did, or would do. It is pending still if source or database can't do it now, or if the stream is
     *     stopped on this instance meanwhile: an instance carries it out when it can
     * @throws CommandConflictException if the stream has another version than expected: somebody else gave a command
     * @throws CommandRefusedException if it can't be done as it stands, which the message explains
     */
    CommandRecord submit(StreamCommand command);

    /**
     * Version of the stream: how many commands it has had. To be shown to an operator, and sent back with {@link
     * StreamCommand#expecting}.
     */
    long version(String stream);

    /** A command of the stream. */
    Optional<CommandRecord> find(String stream, long id);

    /**
     * The commands of a stream, the newest first, dry runs left out.
     *
     * @param beforeId only those with a smaller id; null for the newest
     * @param limit how many at most
     */
    List<CommandRecord> history(String stream, @Nullable Long beforeId, int limit);
}
