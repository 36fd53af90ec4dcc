package io.github.tandemstreams.simulation;

import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.CommandRecord.LaneEffect;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.ToOffsets;
import io.github.tandemstreams.checkpoint.CommandStore;
import io.github.tandemstreams.source.LaneId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Commands that change the state of lanes, or have one go back. They aren't kept. */
final class SimulatedCommands implements CommandStore {

    private final SimulatedCheckpoint checkpoint;

    SimulatedCommands(SimulatedCheckpoint checkpoint) {
        this.checkpoint = checkpoint;
    }

    @Override
    public String instance() {
        return "simulation";
    }

    @Override
    public CommandRecord give(StreamCommand command) {
        List<LaneEffect> effects = changed(command).stream()
                .map(LaneId::lane)
                .sorted()
                .map(lane -> new LaneEffect(lane, Offsets.none(), Offsets.none(), 0, 0, 0, 0, null))
                .toList();
        Instant now = Instant.EPOCH;
        return new CommandRecord(0, command, CommandRecord.Status.DONE, effects, 0, 0, null, null, now, now);
    }

    private Set<LaneId> changed(StreamCommand command) {
        String stream = command.stream();
        if (command.target() instanceof ToOffsets to && command.lane() != null) {
            return checkpoint.rewind(new LaneId(stream, command.lane()), to.offsets());
        }
        return switch (command.action()) {
            case PAUSE -> checkpoint.command(stream, command.lane(), LaneState.PAUSED);
            case RESUME -> checkpoint.command(stream, command.lane(), LaneState.ACTIVE);
            default -> throw unexpected();
        };
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
        return new UnsupportedOperationException("not simulated");
    }
}
