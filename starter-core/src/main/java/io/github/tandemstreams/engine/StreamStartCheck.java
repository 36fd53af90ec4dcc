package io.github.tandemstreams.engine;

import io.github.tandemstreams.StartCheck;
import io.github.tandemstreams.StartReport;
import io.github.tandemstreams.StartingOffsets;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where the streams that are configured on this instance would start. */
public final class StreamStartCheck implements StartCheck {

    private final Supplier<? extends Collection<StreamRuntime>> runtimes;

    /** @param runtimes the streams, asked for when they are needed */
    public StreamStartCheck(Supplier<? extends Collection<StreamRuntime>> runtimes) {
        this.runtimes = runtimes;
    }

    @Override
    public List<StartReport> check(String stream, @Nullable StartingOffsets from) {
        return StreamRuntime.named(stream, runtimes.get()).starts(from);
    }
}
