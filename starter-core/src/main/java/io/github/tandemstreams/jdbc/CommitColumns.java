package io.github.tandemstreams.jdbc;

import io.github.tandemstreams.checkpoint.Commit;
import io.github.tandemstreams.checkpoint.Plan;
import java.util.List;

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
                .text(commit -> commit.startedAt().toString())
                .value(instance);
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
