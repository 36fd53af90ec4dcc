package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.engine.StreamRuntime;
import io.github.tandemstreams.engine.Streams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The streams of this application. They are put together when all singletons exist; so a handler may have this injected.
 */
final class TandemStreams implements StreamOperations, SmartInitializingSingleton {

    private final HandlerDiscovery discovery;
    private final TandemProperties properties;
    private final GroupIds groupIds;
    private final Supplier<StreamAssembly> assembly;
    private final Duration stopTimeout;
    private volatile @Nullable Assembled assembled;

    private record Assembled(List<TandemStream> all, Streams operations) {}

    TandemStreams(
            HandlerDiscovery discovery,
            TandemProperties properties,
            GroupIds groupIds,
            Supplier<StreamAssembly> assembly,
            Duration stopTimeout) {
        this.discovery = discovery;
        this.properties = properties;
        this.groupIds = groupIds;
        this.assembly = assembly;
        this.stopTimeout = stopTimeout;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Map<String, Handler> handlers = handlers();
        requireGroupsOfTheirOwn(handlers.keySet());
        StreamAssembly parts = assembly.get();
        List<TandemStream> all = handlers.values().stream().map(parts::assemble).toList();
        PoolSizes.check(all);
        assembled = new Assembled(
                all, new Streams(all.stream().map(TandemStream::runtime).toList(), stopTimeout));
    }

    /** One handler for each stream that is enabled. */
    private Map<String, Handler> handlers() {
        Map<String, List<Handler>> found = discovery.find().stream()
                .collect(Collectors.groupingBy(Handler::stream, LinkedHashMap::new, Collectors.toList()));
        Map<String, Handler> handlers = new LinkedHashMap<>();
        found.forEach((stream, candidates) -> {
            if (stream.isBlank()) {
                throw HandlerMistakes.noName(candidates.get(0));
            }
            if (properties.stream(stream).isEnabled()) {
                if (candidates.size() > 1) {
                    throw HandlerMistakes.several(stream, candidates);
                }
                handlers.put(stream, candidates.get(0));
            }
        });
        for (String configured : properties.streams().keySet()) {
            if (properties.stream(configured).isEnabled() && !handlers.containsKey(configured)) {
                throw HandlerMistakes.missing(configured, handlers.keySet());
            }
        }
        return handlers;
    }

    private void requireGroupsOfTheirOwn(Collection<String> streams) {
        List<String> seen = new ArrayList<>();
        for (String stream : streams) {
            StreamProperties settings = properties.stream(stream);
            for (String other : seen) {
                StreamProperties others = properties.stream(other);
                Set<String> shared = new HashSet<>(StreamAssembly.topics(stream, settings));
                shared.retainAll(StreamAssembly.topics(other, others));
                String group = groupIds.of(stream, settings);
                if (!shared.isEmpty() && group.equals(groupIds.of(other, others))) {
                    throw StreamMistakes.sharedGroup(other, stream, group, shared);
                }
            }
            seen.add(stream);
        }
    }

    /** All streams that are enabled. */
    List<TandemStream> all() {
        return assembled().all();
    }

    /** What runs them. */
    List<StreamRuntime> runtimes() {
        return all().stream().map(TandemStream::runtime).toList();
    }

    private Streams operations() {
        return assembled().operations();
    }

    private Assembled assembled() {
        Assembled now = assembled;
        if (now == null) {
            throw new IllegalStateException("The streams are put together once all singletons exist."
                    + " Ask later, on ApplicationStartedEvent for instance.");
        }
        return now;
    }

    @Override
    public Collection<String> streams() {
        return operations().streams();
    }

    @Override
    public StreamStatus status(String stream) {
        return operations().status(stream);
    }

    @Override
    public void start(String stream) {
        operations().start(stream);
    }

    @Override
    public void stop(String stream) {
        operations().stop(stream);
    }

    @Override
    public void pause(String stream) {
        operations().pause(stream);
    }

    @Override
    public void pause(String stream, String lane) {
        operations().pause(stream, lane);
    }

    @Override
    public void resume(String stream) {
        operations().resume(stream);
    }

    @Override
    public void resume(String stream, String lane) {
        operations().resume(stream, lane);
    }
}
