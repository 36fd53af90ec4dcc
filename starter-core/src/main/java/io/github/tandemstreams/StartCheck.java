package io.github.tandemstreams;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells where a stream would start, before it does: what a move from a consumer group, say, would read. Nothing is changed.
 * With {@code auto-startup: false} the stream waits meanwhile.
 *
 * <p>Threading: may be called from any thread on which no transaction is bound. Throws {@link IllegalArgumentException} for
 * a stream that isn't configured here, and when the database can't be reached {@link
 * org.springframework.transaction.TransactionException} or {@link org.springframework.dao.DataAccessException}.
 */
public interface StartCheck {

    /**
     * Where the lanes would start that the stream's topics have now, in the order of their names.
     *
     * @param from instead of what is configured; null for that
     * @throws io.github.tandemstreams.source.TopicNotFoundException if a topic doesn't exist
     * @throws io.github.tandemstreams.source.SourceUnavailableException if the source can't be reached
     */
    List<StartReport> check(String stream, @Nullable StartingOffsets from);
}
