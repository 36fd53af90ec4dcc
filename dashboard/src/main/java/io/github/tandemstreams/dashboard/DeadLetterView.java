package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.DeadLetterRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter on the page. Without the right to see payloads there is neither key, value and headers, nor what the exception
 * says, which often has a part of the record in it.
 */
record DeadLetterView(
        long id,
        String lane,
        long batch,
        String topic,
        int partition,
        long offset,
        @Nullable Instant timestamp,
        DeadLetterRecord.Status status,
        Instant parkedAt,
        int timesParked,
        int failedRedrives,
        @Nullable String reason,
        String causeType,
        @Nullable String message,
        @Nullable String stackTrace,
        @Nullable Payload key,
        @Nullable Payload value,
        List<Header> headers) {

    /** A header of the record. */
    record Header(String name, @Nullable Payload value) {}

    /** One of many: what stands in a table. */
    static DeadLetterView inShort(DeadLetterRecord letter, boolean payloads) {
        return of(letter, payloads ? firstLine(letter.message()) : null, null, null, null, List.of());
    }

    /** All of it. */
    static DeadLetterView inFull(DeadLetterRecord letter, boolean payloads) {
        if (!payloads) {
            return inShort(letter, false);
        }
        return of(
                letter,
                letter.message(),
                letter.stackTrace(),
                Payload.of(letter.key()),
                Payload.of(letter.value()),
                letter.headers().stream()
                        .map(header -> new Header(header.name(), Payload.of(header.value())))
                        .toList());
    }

    private static DeadLetterView of(
            DeadLetterRecord letter,
            @Nullable String message,
            @Nullable String stackTrace,
            @Nullable Payload key,
            @Nullable Payload value,
            List<Header> headers) {
        return new DeadLetterView(
                letter.id(),
                letter.lane(),
                letter.batch(),
                letter.topic(),
                letter.partition(),
                letter.offset(),
                letter.timestamp(),
                letter.status(),
                letter.parkedAt(),
                letter.timesParked(),
                letter.failedRedrives(),
                letter.reason(),
                letter.causeType(),
                message,
                stackTrace,
                key,
                value,
                headers);
    }

    private static @Nullable String firstLine(@Nullable String message) {
        return message == null ? null : message.lines().findFirst().orElse("");
    }
}
