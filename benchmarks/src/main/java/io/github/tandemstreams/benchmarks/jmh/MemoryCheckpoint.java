package io.github.tandemstreams.benchmarks.jmh;

import io.github.tandemstreams.BatchReport;
import io.github.tandemstreams.LaneReport;
import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamReport;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.checkpoint.Claim;
import io.github.tandemstreams.checkpoint.CommandStore;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.DeadLetterStore;
import io.github.tandemstreams.checkpoint.FailureKind;
import io.github.tandemstreams.checkpoint.Fence;
import io.github.tandemstreams.checkpoint.LaneEnd;
import io.github.tandemstreams.checkpoint.Plan;
import io.github.tandemstreams.checkpoint.ReportStore;
import io.github.tandemstreams.checkpoint.Trouble;
import io.github.tandemstreams.source.LaneId;
import io.github.tandemstreams.source.LaneStart;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says yes to a stream that was never started before, and to whatever it does when nothing goes wrong. It keeps nothing. */
final class MemoryCheckpoint implements Checkpoint {

    @Override
    public Set<String> topics(String stream) {
        return Set.of();
    }

    @Override
    public Map<String, String> settle(String stream, Map<String, String> settings) {
        return settings;
    }

    @Override
    public Set<String> register(String stream, Collection<String> topics, Map<String, LaneStart> lanes) {
        return Set.copyOf(topics);
    }

    @Override
    public Optional<Claim> claim(LaneId lane, UUID owner) {
        Fence fence = new Fence(lane, 1, owner, -1, Offsets.of(lane.lane(), 0));
        return Optional.of(new Claim(
                fence, 0, "", LaneState.ACTIVE, null, Optional.empty(), Trouble.NONE, 0, OptionalLong.empty()));
    }

    @Override
    public Set<LaneId> plan(List<PlannedBatch> plans) {
        return plans.stream().map(each -> each.fence().lane()).collect(Collectors.toSet());
    }

    @Override
    public Set<LaneId> commit(List<Commit> commits, List<PlannedBatch> riding) {
        return commits.stream().map(each -> each.fence().lane()).collect(Collectors.toSet());
    }

    @Override
    public Holding holding(Collection<Fence> fences) {
        return new Holding(fences.stream().map(Fence::lane).collect(Collectors.toSet()), Set.of());
    }

    @Override
    public boolean plansMayRide() {
        return true;
    }

    @Override
    public void limitIdleTime(Duration limit) {}

    @Override
    public int boundConnections() {
        return 1;
    }

    @Override
    public int prune(String stream, int retain) {
        return 0;
    }

    @Override
    public void ended(Fence fence) {}

    @Override
    public FailureKind classify(Throwable failure) {
        return FailureKind.FATAL;
    }

    @Override
    public String instance() {
        return "memory";
    }

    @Override
    public ReportStore reports() {
        return new NoReports();
    }

    // ---- nothing goes wrong here

    @Override
    public void add(LaneId lane, LaneStart start) {
        throw unexpected();
    }

    @Override
    public Optional<Claim> reclaim(LaneId lane, long epoch, UUID owner) {
        throw unexpected();
    }

    @Override
    public boolean raiseGeneration(Fence fence, int generation) {
        throw unexpected();
    }

    @Override
    public boolean answers() {
        throw unexpected();
    }

    @Override
    public boolean note(Fence fence, Trouble trouble) {
        throw unexpected();
    }

    @Override
    public void verify(boolean deferredConstraints) {
        throw unexpected();
    }

    @Override
    public DeadLetterStore deadLetters() {
        throw unexpected();
    }

    @Override
    public boolean fail(Fence fence, String failure, @Nullable String foundTopicId) {
        throw unexpected();
    }

    @Override
    public boolean skip(Fence fence, Plan gap, String topicId) {
        throw unexpected();
    }

    @Override
    public CommandStore commands() {
        return new NoCommands();
    }

    @Override
    public boolean isInDoubt(Throwable commitFailure) {
        return false;
    }

    @Override
    public Optional<Offsets> position(LaneId lane) {
        throw unexpected();
    }

    private static IllegalStateException unexpected() {
        return new IllegalStateException("not in this benchmark");
    }

    private static final class NoReports implements ReportStore {

        @Override
        public List<StreamReport> streams(Collection<String> streams) {
            return List.of();
        }

        @Override
        public List<LaneReport> lanes(String stream) {
            return List.of();
        }

        @Override
        public List<BatchReport> batches(String stream, @Nullable String lane, int limit) {
            return List.of();
        }

        @Override
        public Optional<BatchReport> batchOf(String stream, String topic, int partition, long offset) {
            return Optional.empty();
        }

        @Override
        public Optional<BatchReport> oldestBatch(String stream, String lane) {
            return Optional.empty();
        }

        @Override
        public void seen(Map<LaneEnd, Duration> ends) {}
    }
}
