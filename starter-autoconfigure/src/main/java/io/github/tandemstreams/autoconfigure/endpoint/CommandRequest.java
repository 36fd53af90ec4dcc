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
 * that leaves open how much it means: a misspelt parameter isn't seen here, and must not widen a command. So what would
 * narrow a command has to be there, and {@code *} says that it shall not.
 *
 * @param action what is to be done
 * @param lane the lane, or {@code *} for the whole stream; may be left out where offsets or ids tell what is meant
 * @param dryRun whether it is only told what would be done; must be given
 * @param expectedVersion version of the stream that was seen, or {@code any}; may be left out of a dry run
 * @param reason why
 * @param batch rewind: to the start of this batch
 * @param timestamp rewind: to this time, in ISO 8601
 * @param offsets rewind and skip: to these, as in {@code flights-3=1200,flights-4=90}
 * @param ids dead letters: these, as in {@code 17,18}
 * @param causeClass dead letters without ids: with this cause, or {@code *}
 * @param parkedBefore dead letters without ids: parked before, in ISO 8601, or {@code *}
 */
record CommandRequest(
        @Nullable String action,
        @Nullable String lane,
        @Nullable Boolean dryRun,
        @Nullable String expectedVersion,
        @Nullable String reason,
        @Nullable Long batch,
        @Nullable String timestamp,
        @Nullable String offsets,
        @Nullable String ids,
        @Nullable String causeClass,
        @Nullable String parkedBefore) {

    private static final String EACH = "*";
    private static final String ANY_VERSION = "any";

    /** @throws InvalidEndpointRequestException if it is incomplete or contradicts itself */
    StreamCommand toCommand(String stream, String who) {
        Action wanted = wanted();
        if (dryRun == null) {
            throw refused("dryRun must be given: true to be told what would be done, false to do it");
        }
        Target target = target(wanted);
        requireLane(wanted, target);
        return new StreamCommand(stream, chosen(lane), wanted, target, dryRun, version(dryRun), who, text(reason));
    }

    /** Offsets and ids tell what is meant by themselves, and a database is restored as a whole. */
    private void requireLane(Action wanted, @Nullable Target target) {
        boolean isNamed = target instanceof ToOffsets || text(ids) != null || wanted == Action.RESTORED;
        if (text(lane) == null && !isNamed) {
            throw refused(name(wanted) + " needs lane: the name of a lane, or * for the whole stream");
        }
    }

    private @Nullable Long version(boolean isDryRun) {
        String version = text(expectedVersion);
        if (version == null && !isDryRun) {
            throw refused("expectedVersion must be given: the version that the stream or a dry run told,"
                    + " or any to act whatever others did since");
        }
        return version == null || version.equals(ANY_VERSION) ? null : number("expectedVersion", version);
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
        requireOnly(wanted, "ids", "causeClass", "parkedBefore");
        Set<String> given = given().keySet();
        if (!given.equals(Set.of("ids")) && !given.equals(Set.of("causeClass", "parkedBefore"))) {
            throw refused(name(wanted) + " needs either ids, or causeClass and parkedBefore, with * for whichever");
        }
        Set<Long> wantedIds = parsedIds();
        if (wantedIds.isEmpty() && given.contains("ids")) {
            throw refused("ids '" + ids + "' aren't such as 17,18");
        }
        return new Letters(wantedIds, chosen(causeClass), time("parkedBefore", chosen(parkedBefore)));
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

    /** What is asked for; null if it may be each. */
    private static @Nullable String chosen(@Nullable String text) {
        return EACH.equals(text) ? null : text(text);
    }

    private static String name(Action action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    private static InvalidEndpointRequestException refused(String message) {
        return new InvalidEndpointRequestException(message, message);
    }
}
