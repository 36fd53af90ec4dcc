package io.github.tandemstreams.engine;

import io.github.tandemstreams.checkpoint.Claim;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a lane's progress says of its batches outside of the database: it is committed to the consumer group after the
 * database's commit, so it can't be ahead of a database that forgot nothing.
 */
final class Evidence {

    private static final Pattern TEXT = Pattern.compile("generation=(\\d{1,9});batch=(-?\\d{1,18})");

    private Evidence() {}

    static String of(int generation, long lastBatch) {
        return "generation=" + generation + ";batch=" + lastBatch;
    }

    /** The generation that new plans must have: a higher one if batches were reported that the claim doesn't know. */
    static int generation(Claim claim, @Nullable String reported) {
        Matcher evidence = TEXT.matcher(reported == null ? "" : reported);
        if (!evidence.matches()) {
            return claim.generation();
        }
        int generation = Integer.parseInt(evidence.group(1));
        long batch = Long.parseLong(evidence.group(2));
        boolean forgotten = generation > claim.generation()
                || (generation == claim.generation() && batch > claim.fence().lastBatch());
        return forgotten ? generation + 1 : claim.generation();
    }
}
