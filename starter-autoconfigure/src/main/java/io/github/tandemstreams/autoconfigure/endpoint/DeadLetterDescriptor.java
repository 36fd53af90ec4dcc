package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.DeadLetterRecord;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A {@link DeadLetterRecord} for JSON.
 *
 * @param payload what may be private; null where it isn't shown
 */
record DeadLetterDescriptor(
        long id,
        String lane,
        long batch,
        String topic,
        int partition,
        long offset,
        @Nullable Instant timestamp,
        String causeType,
        int timesParked,
        int failedRedrives,
        String status,
        @Nullable String reason,
        Instant parkedAt,
        @Nullable Payload payload)
        implements OperationResponseBody {

    /** The record's contents, and the texts of its cause, which often repeat them. */
    record Payload(
            @Nullable Bytes key,
            @Nullable Bytes value,
            List<Header> headers,
            @Nullable String message,
            @Nullable String stackTrace) {}

    /** A header of the record. */
    record Header(String name, @Nullable Bytes value) {}

    static DeadLetterDescriptor of(DeadLetterRecord letter, boolean payload) {
        return new DeadLetterDescriptor(
                letter.id(),
                letter.lane(),
                letter.batch(),
                letter.topic(),
                letter.partition(),
                letter.offset(),
                letter.timestamp(),
                letter.causeType(),
                letter.timesParked(),
                letter.failedRedrives(),
                letter.status().name().toLowerCase(Locale.ROOT),
                letter.reason(),
                letter.parkedAt(),
                payload ? payload(letter) : null);
    }

    private static Payload payload(DeadLetterRecord letter) {
        return new Payload(
                Bytes.of(letter.key()),
                Bytes.of(letter.value()),
                letter.headers().stream()
                        .map(header -> new Header(header.name(), Bytes.of(header.value())))
                        .toList(),
                letter.message(),
                letter.stackTrace());
    }
}
