package io.github.tandemstreams.autoconfigure.endpoint;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.Action;
import io.github.tandemstreams.StreamCommand.Letters;
import io.github.tandemstreams.StreamCommand.Target;
import io.github.tandemstreams.StreamCommand.ToBatch;
import io.github.tandemstreams.StreamCommand.ToOffsets;
import io.github.tandemstreams.StreamCommand.ToTimestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.util.StringUtils;

/**
 * A command as a request has it: flat, as texts. A parameter that an action doesn't take is refused, and so is a request
 * that leaves open how much it means: a misspelt parameter isn't seen here, and must not widen a command.
 *
 * @param action what is to be done
 * @param lane the lane; null for the whole stream
 * @param dryRun whether it is only told what would be done; must be given
 * @param expectedVersion version of the stream that was seen
 * @param reason why
 * @param batch rewind: to the start of this batch
 * @param timestamp rewind: to this time, in ISO 8601
 * @param offsets rewind and skip: to these, as in {@code flights-3=1200,flights-4=90}
 * @param ids dead letters: these, as in {@code 17,18}
 * @param causeClass dead letters: with this cause
 * @param parkedBefore dead letters: parked before, in ISO 8601
 * @param all dead letters: all that wait
 */
record CommandRequest(
        @Nullable String action,
        @Nullable String lane,
        @Nullable Boolean dryRun,
        @Nullable Long expectedVersion,
        @Nullable String reason,
        @Nullable Long batch,
        @Nullable String timestamp,
        @Nullable String offsets,
        @Nullable String ids,
        @Nullable String causeClass,
        @Nullable String parkedBefore,
        @Nullable Boolean all) {

    /** @throws InvalidEndpointRequestException if it is incomplete or contradicts itself */
    StreamCommand toCommand(String stream, String who) {
        Action wanted = wanted();
        if (dryRun == null) {
            throw refused("dryRun must be given: true to be told what would be done, false to do it");
        }
        return new StreamCommand(
                stream, text(lane), wanted, target(wanted), dryRun, expectedVersion, who, text(reason));
    }

    private Action wanted() {
        return Arrays.stream(Action.values())
                .filter(known -> name(known).equals(action))
                .findFirst()
                .orElseThrow(() -> refused("action must be one of "
                        + Arrays.stream(Action.values())
                                .map(CommandRequest::name)
                                .collect(Collectors.joining(", "))
                        + (action == null ? "" : ", not '" + action + "'")));
    }

    private @Nullable Target target(Action wanted) {
        return switch (wanted) {
            case REWIND -> position(wanted, "batch", "timestamp", "offsets");
            case SKIP -> position(wanted, "offsets");
            case REDRIVE, DISCARD -> letters(wanted);
            default -> {
                requireOnly(wanted);
                yield null;
            }
        };
    }

    private Target position(Action wanted, String... ways) {
        requireOnly(wanted, ways);
        if (given().size() != 1) {
            throw refused(name(wanted) + " needs " + (ways.length == 1 ? "" : "one of ") + String.join(", ", ways));
        }
        if (batch != null) {
            return new ToBatch(batch);
        }
        Instant time = time("timestamp", timestamp);
        return time == null ? new ToOffsets(parsedOffsets()) : new ToTimestamp(time);
    }

    private Target letters(Action wanted) {
        requireOnly(wanted, "ids", "causeClass", "parkedBefore", "all");
        boolean isAll = Boolean.TRUE.equals(all);
        if (isAll ? given().size() > 1 : given().isEmpty()) {
            throw refused(name(wanted) + " needs some of ids, causeClass and parkedBefore, or else all=true");
        }
        return new Letters(parsedIds(), text(causeClass), time("parkedBefore", parkedBefore));
    }

    /** Where to or which ones, as far as the request says. */
    private Map<String, Object> given() {
        Map<String, Object> given = new LinkedHashMap<>();
        putIfGiven(given, "batch", batch);
        putIfGiven(given, "timestamp", text(timestamp));
        putIfGiven(given, "offsets", text(offsets));
        putIfGiven(given, "ids", text(ids));
        putIfGiven(given, "causeClass", text(causeClass));
        putIfGiven(given, "parkedBefore", text(parkedBefore));
        putIfGiven(given, "all", Boolean.TRUE.equals(all) ? all : null);
        return given;
    }

    private static void putIfGiven(Map<String, Object> given, String name, @Nullable Object value) {
        if (value != null) {
            given.put(name, value);
        }
    }

    private void requireOnly(Action wanted, String... known) {
        given().keySet().stream()
                .filter(name -> !List.of(known).contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw refused(name(wanted) + " takes no " + name);
                });
    }

    private Offsets parsedOffsets() {
        Map<String, Long> byPartition = new TreeMap<>();
        for (String one : StringUtils.tokenizeToStringArray(offsets, ",")) {
            int separator = one.lastIndexOf('=');
            if (separator < 1) {
                throw refused("offsets '" + offsets + "' aren't such as flights-3=1200,flights-4=90");
            }
            byPartition.put(
                    one.substring(0, separator).trim(),
                    number("offsets", one.substring(separator + 1).trim()));
        }
        return Offsets.of(byPartition);
    }

    private Set<Long> parsedIds() {
        return Arrays.stream(StringUtils.tokenizeToStringArray(ids, ","))
                .map(id -> number("ids", id))
                .collect(Collectors.toSet());
    }

    private static long number(String parameter, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notOne) {
            throw refused(parameter + ": '" + text + "' isn't a number");
        }
    }

    private static @Nullable Instant time(String parameter, @Nullable String text) {
        try {
            return text(text) == null ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException notOne) {
            throw refused(
                    parameter + " '" + text + "' isn't such as 2026-01-31T00:00:00Z or 2026-01-31T01:00:00+01:00");
        }
    }

    /** Consoles of JMX send nothing as an empty text. */
    private static @Nullable String text(@Nullable String text) {
        return StringUtils.hasText(text) ? text : null;
    }

    private static String name(Action action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    private static InvalidEndpointRequestException refused(String message) {
        return new InvalidEndpointRequestException(message, message);
    }
}
