package io.github.tandemstreams.dashboard;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.Action;
import io.github.tandemstreams.StreamCommand.Letters;
import io.github.tandemstreams.StreamCommand.Target;
import io.github.tandemstreams.StreamCommand.ToBatch;
import io.github.tandemstreams.StreamCommand.ToOffsets;
import io.github.tandemstreams.StreamCommand.ToTimestamp;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A command as the page sends it: {@code {"stream", "lane", "action", "target", "dryRun", "expectedVersion", "reason"}}, where
 * the target is {@code {"batch": 41}}, {@code {"timestamp": "2026-01-31T00:00:00Z"}}, {@code {"offsets": {"flights-3": 1200}}}
 * or {@code {"letters": {"ids": [1], "causeClass": …, "parkedBefore": …}}}. What isn't known is refused, never ignored: a
 * mistyped field of a filter would let a command hit more than was meant. Who gives it isn't told by the body.
 */
final class CommandForm {

    private static final Set<String> FIELDS =
            Set.of("stream", "lane", "action", "target", "dryRun", "expectedVersion", "reason");

    private CommandForm() {}

    static StreamCommand read(byte[] body) {
        JsonNode form = object(Json.read(body), "The command", FIELDS);
        return new StreamCommand(
                required(text(form, "stream"), "stream"),
                text(form, "lane"),
                action(required(text(form, "action"), "action")),
                target(form.get("target")),
                bool(form, "dryRun"),
                number(form, "expectedVersion"),
                null,
                text(form, "reason"));
    }

    private static Action action(String name) {
        try {
            return Action.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw refused("There is no command '" + name + "'.");
        }
    }

    private static @Nullable Target target(@Nullable JsonNode node) {
        if (node == null || node.isNull()) {
            return null;
        }
        JsonNode target = object(node, "The target", Set.of("batch", "timestamp", "offsets", "letters"));
        if (target.size() != 1) {
            throw refused("The target must be one of batch, timestamp, offsets and letters.");
        }
        return switch (target.propertyNames().iterator().next()) {
            case "batch" -> new ToBatch(required(number(target, "batch"), "batch"));
            case "timestamp" -> new ToTimestamp(required(instant(target, "timestamp"), "timestamp"));
            case "offsets" -> new ToOffsets(offsets(target.get("offsets")));
            default -> letters(target.get("letters"));
        };
    }

    private static Offsets offsets(JsonNode node) {
        if (!node.isObject() || node.isEmpty()) {
            throw refused("The offsets must name a partition at least, such as {\"flights-3\": 1200}.");
        }
        Map<String, Long> byPartition = new TreeMap<>();
        for (String partition : node.propertyNames()) {
            byPartition.put(partition, required(number(node, partition), partition));
        }
        return Offsets.of(byPartition);
    }

    private static Letters letters(JsonNode node) {
        JsonNode letters = object(node, "The filter", Set.of("ids", "causeClass", "parkedBefore"));
        return new Letters(ids(letters.get("ids")), text(letters, "causeClass"), instant(letters, "parkedBefore"));
    }

    private static Set<Long> ids(@Nullable JsonNode node) {
        Set<Long> ids = new HashSet<>();
        if (node == null || node.isNull()) {
            return ids;
        }
        // No ids mean all of them, so an empty list is a mistake rather than a choice.
        if (!node.isArray() || node.isEmpty()) {
            throw refused("The ids must be a list with one number at least.");
        }
        for (JsonNode id : node) {
            if (!id.canConvertToLong() || !id.isIntegralNumber()) {
                throw refused("The ids must be numbers.");
            }
            ids.add(id.asLong());
        }
        return ids;
    }

    private static JsonNode object(JsonNode node, String what, Set<String> fields) {
        if (!node.isObject()) {
            throw refused(what + " must be a JSON object.");
        }
        for (String field : node.propertyNames()) {
            if (!fields.contains(field)) {
                throw refused(what + " has an unknown field '" + field + "'.");
            }
        }
        return node;
    }

    private static @Nullable String text(JsonNode node, String field) {
        JsonNode value = node.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isString()) {
            throw refused("Field '" + field + "' must be a text.");
        }
        return value.asString();
    }

    private static @Nullable Long number(JsonNode node, String field) {
        JsonNode value = node.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw refused("Field '" + field + "' must be a whole number.");
        }
        return value.asLong();
    }

    private static @Nullable Instant instant(JsonNode node, String field) {
        String text = text(node, field);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException malformed) {
            throw refused("Field '" + field + "' must be an instant such as 2026-01-31T00:00:00Z.");
        }
    }

    private static boolean bool(JsonNode node, String field) {
        JsonNode value = node.get(field);
        if (value == null || !value.isBoolean()) {
            throw refused("Field '" + field + "' must be true or false.");
        }
        return value.asBoolean();
    }

    private static <T> T required(@Nullable T value, String field) {
        if (value == null) {
            throw refused("Field '" + field + "' is missing.");
        }
        return value;
    }

    private static RefusedException refused(String message) {
        return new RefusedException(400, message);
    }
}
