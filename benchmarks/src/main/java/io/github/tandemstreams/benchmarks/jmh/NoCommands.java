package io.github.tandemstreams.benchmarks.jmh;

import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.checkpoint.CommandStore;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Nobody gives commands here. */
final class NoCommands implements CommandStore {

    @Override
    public String instance() {
        return "memory";
    }

    @Override
    public CommandRecord give(StreamCommand command) {
        throw unexpected();
    }

    @Override
    public long version(String stream) {
        throw unexpected();
    }

    @Override
    public Optional<CommandRecord> find(String stream, long id) {
        throw unexpected();
    }

    @Override
    public List<CommandRecord> history(String stream, @Nullable Long beforeId, int limit) {
        throw unexpected();
    }

    @Override
    public Orders orders(String stream) {
        return Orders.NONE;
    }

    @Override
    public Optional<CommandRecord> take(String stream, long id) {
        throw unexpected();
    }

    @Override
    public boolean stillAt(String stream, long id) {
        throw unexpected();
    }

    @Override
    public boolean isPending(String stream, long id) {
        throw unexpected();
    }

    @Override
    public void giveBack(String stream, long id) {
        throw unexpected();
    }

    @Override
    public CommandRecord rewind(String stream, long id, Offsets found) {
        throw unexpected();
    }

    @Override
    public List<Long> letters(String stream, long id, long afterId, int limit) {
        throw unexpected();
    }

    @Override
    public CommandRecord settle(String stream, long id, @Nullable String problem) {
        throw unexpected();
    }

    private static RuntimeException unexpected() {
        return new IllegalStateException("not in this benchmark");
    }
}
