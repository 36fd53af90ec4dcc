package io.github.tandemstreams.engine;

import io.github.tandemstreams.DeadLetterRecord;
import io.github.tandemstreams.DeadLetters;
import io.github.tandemstreams.Redrive;
import io.github.tandemstreams.checkpoint.DeadLetterStore;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The dead letters of the streams that are configured on this instance. */
public final class StreamDeadLetters implements DeadLetters {

    /** How many are looked up at a time. */
    private static final int PAGE = 500;

    private final Supplier<? extends Collection<StreamRuntime>> runtimes;

    /** @param runtimes the streams, asked for when they are needed */
    public StreamDeadLetters(Supplier<? extends Collection<StreamRuntime>> runtimes) {
        this.runtimes = runtimes;
    }

    @Override
    public List<DeadLetterRecord> waiting(String stream, long afterId, int limit) {
        return store(stream).waiting(stream, afterId, limit);
    }

    @Override
    public Optional<DeadLetterRecord> find(String stream, long id) {
        return store(stream).find(stream, id);
    }

    @Override
    public Redrive redrive(String stream, long id) {
        return new Redriver<>(definition(stream)).redrive(id);
    }

    @Override
    public int redriveAll(String stream) {
        Redriver<?> redriver = new Redriver<>(definition(stream));
        int done = 0;
        long last = 0;
        List<DeadLetterRecord> page;
        do {
            page = waiting(stream, last, PAGE);
            for (DeadLetterRecord letter : page) {
                last = letter.id();
                if (redriver.redrive(last).outcome() == Redrive.Outcome.DONE) {
                    done++;
                }
            }
        } while (!page.isEmpty());
        return done;
    }

    @Override
    public boolean discard(String stream, long id, String reason) {
        return store(stream).discard(stream, id, reason);
    }

    @Override
    public int erase(String stream, Instant parkedBefore) {
        return store(stream).erase(stream, parkedBefore);
    }

    @Override
    public int eraseKey(String stream, byte[] key) {
        return store(stream).eraseKey(stream, key);
    }

    private DeadLetterStore store(String stream) {
        return definition(stream).checkpoint().deadLetters();
    }

    private StreamDefinition<?> definition(String stream) {
        return StreamRuntime.named(stream, runtimes.get()).definition();
    }
}
