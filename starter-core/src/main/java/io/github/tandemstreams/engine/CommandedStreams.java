package io.github.tandemstreams.engine;

import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommands;
import io.github.tandemstreams.checkpoint.CommandStore;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The commands to the streams that are configured on this instance. */
public final class CommandedStreams implements StreamCommands {

    private final Supplier<? extends Collection<StreamRuntime>> runtimes;

    /** @param runtimes the streams, asked for when they are needed */
    public CommandedStreams(Supplier<? extends Collection<StreamRuntime>> runtimes) {
        this.runtimes = runtimes;
    }

    @Override
    public CommandRecord submit(StreamCommand command) {
        return StreamRuntime.named(command.stream(), runtimes.get()).submit(command);
    }

    @Override
    public long version(String stream) {
        return store(stream).version(stream);
    }

    @Override
    public Optional<CommandRecord> find(String stream, long id) {
        return store(stream).find(stream, id);
    }

    @Override
    public List<CommandRecord> history(String stream, @Nullable Long beforeId, int limit) {
        return store(stream).history(stream, beforeId, limit);
    }

    private CommandStore store(String stream) {
        return StreamRuntime.named(stream, runtimes.get()).commands();
    }
}
