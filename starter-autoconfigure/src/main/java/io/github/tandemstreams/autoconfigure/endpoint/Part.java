package io.github.tandemstreams.autoconfigure.endpoint;

import java.util.Arrays;
import java.util.Locale;

/** What a stream has that can be listed. */
enum Part {
    LANES,
    BATCHES,
    DEAD_LETTERS,
    COMMANDS,
    STARTS;

    /** As it stands in a path. */
    String path() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Part of(String path) {
        return Arrays.stream(values())
                .filter(part -> part.path().equals(path))
                .findFirst()
                .orElseThrow(() -> new NotFoundException("A stream has no '" + path + "', but "
                        + String.join(
                                ", ", Arrays.stream(values()).map(Part::path).toList())));
    }
}
