package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.BatchPhase;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.Plan;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of the commit statement. */
final class CommitColumns {

    private CommitColumns() {}

    static Columns<Commit> of(List<Commit> commits, String instance) {
        commits.forEach(CommitColumns::requireConsecutive);
        return Columns.of(commits)
                .fence(Commit::fence)
                .integer(commit -> commit.plan().generation())
                .text(commit -> Json.of(commit.plan().range().starts()))
                .text(commit -> Json.of(commit.plan().range().ends()))
                .bool(Commit::planned)
                .integer(commit -> commit.next().map(Plan::generation).orElse(null))
                .text(commit -> commit.next()
                        .map(next -> Json.of(next.range().starts()))
                        .orElse(null))
                .text(commit ->
                        commit.next().map(next -> Json.of(next.range().ends())).orElse(null))
                .integer(Commit::records)
                .integer(commit -> commit.deadLetters().size())
                .integer(Commit::deadInARow)
                .text(commit -> commit.run().startedAt().toString())
                .integer(commit -> commit.run().attempts())
                .real(commit -> millis(commit, BatchPhase.PLAN))
                .real(commit -> millis(commit, BatchPhase.QUEUE))
                .real(commit -> millis(commit, BatchPhase.DECODE))
                .real(commit -> millis(commit, BatchPhase.HANDLER))
                .real(commit -> millis(commit.run().duration()))
                .text(commit -> json(commit.run().latest()))
                .text(commit -> commit.run().traceId())
                .value(instance);
    }

    private static @Nullable Float millis(Commit commit, BatchPhase phase) {
        Duration took = commit.run().phases().get(phase);
        return took == null ? null : millis(took);
    }

    private static float millis(Duration took) {
        return took.toNanos() / 1e6f;
    }

    private static @Nullable String json(@Nullable Offsets offsets) {
        return offsets == null ? null : Json.of(offsets);
    }

    /** The statement counts on from the last batch by itself. */
    private static void requireConsecutive(Commit commit) {
        long expected = commit.fence().lastBatch() + 1;
        boolean nextFollows =
                commit.next().map(next -> next.batch() == expected + 1).orElse(true);
        if (commit.plan().batch() != expected || !nextFollows) {
            throw new IllegalArgumentException(commit.fence().lane() + ": batch ids don't follow "
                    + commit.fence().lastBatch() + ": " + commit.plan() + ", then " + commit.next());
        }
    }
}
