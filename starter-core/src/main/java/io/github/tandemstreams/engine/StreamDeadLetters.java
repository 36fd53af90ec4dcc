package io.github.tandemstreams.engine;

import io.github.tandemstreams.DeadLetterRecord;
import io.github.tandemstreams.DeadLetters;
import io.github.tandemstreams.Redrive;
import io.github.tandemstreams.checkpoint.DeadLetterStore;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
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
        StreamRuntime runtime = runtime(stream);
        return runtime.aside(stopped -> redriver(runtime, stopped).redrive(id));
    }

    @Override
    public int redriveAll(String stream) {
        StreamRuntime runtime = runtime(stream);
        return runtime.aside(stopped -> redriveAll(runtime, stopped));
    }

    private int redriveAll(StreamRuntime runtime, BooleanSupplier stopped) {
        AtomicInteger done = new AtomicInteger();
        new RedriveRun(
                        redriver(runtime, stopped),
                        after -> ids(waiting(runtime.name(), after, PAGE)),
                        () -> !stopped.getAsBoolean())
                .run((letter, redrive) -> {
                    if (redrive.outcome() == Redrive.Outcome.DONE) {
                        done.incrementAndGet();
                    }
                });
        return done.get();
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

    private static Redriver<?> redriver(StreamRuntime runtime, BooleanSupplier stopped) {
        return new Redriver<>(runtime.definition(), stopped);
    }

    private static List<Long> ids(List<DeadLetterRecord> letters) {
        return letters.stream().map(DeadLetterRecord::id).toList();
    }

    private DeadLetterStore store(String stream) {
        return runtime(stream).definition().checkpoint().deadLetters();
    }

    private StreamRuntime runtime(String stream) {
        return StreamRuntime.named(stream, runtimes.get());
    }
}
