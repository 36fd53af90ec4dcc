package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.CommandRecord;
import io.github.tandemstreams.CommandRecord.LaneEffect;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.Letters;
import io.github.tandemstreams.StreamCommand.Target;
import io.github.tandemstreams.StreamCommand.ToBatch;
import io.github.tandemstreams.StreamCommand.ToOffsets;
import io.github.tandemstreams.StreamCommand.ToTimestamp;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** A {@link CommandRecord} for JSON, with the parameters of the request that gave it. */
record CommandDescriptor(
        long id,
        String stream,
        @Nullable String lane,
        String action,
        @Nullable Long batch,
        @Nullable Instant timestamp,
        @Nullable Map<String, Long> offsets,
        @Nullable Filter letters,
        boolean dryRun,
        @Nullable Long expectedVersion,
        @Nullable String issuedBy,
        @Nullable String reason,
        String status,
        List<Effect> lanes,
        long deadLetters,
        long version,
        @Nullable String problem,
        @Nullable String instance,
        Instant issuedAt,
        @Nullable Instant settledAt)
        implements OperationResponseBody {

    /** {@link Letters} for JSON. */
    record Filter(
            SortedSet<Long> ids,
            @Nullable String causeClass,
            @Nullable Instant parkedBefore) {}

    /** A {@link LaneEffect} for JSON. */
    record Effect(
            String lane,
            Map<String, Long> from,
            Map<String, Long> to,
            long batches,
            long records,
            long unknown,
            long deadLetters,
            @Nullable Long burnt) {

        static Effect of(LaneEffect effect) {
            return new Effect(
                    effect.lane(),
                    effect.from().byPartition(),
                    effect.to().byPartition(),
                    effect.batches(),
                    effect.records(),
                    effect.unknown(),
                    effect.deadLetters(),
                    effect.burnt());
        }
    }

    static CommandDescriptor of(CommandRecord row) {
        StreamCommand command = row.command();
        Target target = command.target();
        return new CommandDescriptor(
                row.id(),
                command.stream(),
                command.lane(),
                command.action().name().toLowerCase(Locale.ROOT),
                target instanceof ToBatch to ? to.batch() : null,
                target instanceof ToTimestamp to ? to.timestamp() : null,
                target instanceof ToOffsets to ? to.offsets().byPartition() : null,
                target instanceof Letters letters ? filter(letters) : null,
                command.dryRun(),
                command.expectedVersion(),
                command.issuedBy(),
                command.reason(),
                row.status().name().toLowerCase(Locale.ROOT),
                row.lanes().stream().map(Effect::of).toList(),
                row.deadLetters(),
                row.version(),
                row.problem(),
                row.instance(),
                row.issuedAt(),
                row.settledAt());
    }

    private static Filter filter(Letters letters) {
        return new Filter(new TreeSet<>(letters.ids()), letters.causeClass(), letters.parkedBefore());
    }
}
