package io.github.tandemstreams.autoconfigure.endpoint;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** Where a record stands, as logs have it: {@code flights-3@1200}. */
record RecordPosition(String topic, int partition, long offset) {

    private static final Pattern TEXT = Pattern.compile("(.+)-(\\d{1,9})@(\\d{1,18})");

    /** The lane of its partition, by which it is named. */
    String lane() {
        return topic + "-" + partition;
    }

    static RecordPosition parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            String message = "record '" + text + "' isn't <topic>-<partition>@<offset>";
            throw new InvalidEndpointRequestException(message, message);
        }
        return new RecordPosition(parts.group(1), Integer.parseInt(parts.group(2)), Long.parseLong(parts.group(3)));
    }
}
