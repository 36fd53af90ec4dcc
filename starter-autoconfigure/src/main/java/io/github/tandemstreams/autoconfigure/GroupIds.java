package io.github.tandemstreams.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * Names the consumer groups. The application's name is part of the default: two services that both read a topic by a
 * stream of its name would otherwise be one group, and each would get half of the records in silence.
 */
final class GroupIds {

    /** What all groups begin with, so that one prefixed ACL covers them. */
    private static final String PREFIX = "tandem-";

    private final @Nullable String application;

    GroupIds(@Nullable String application) {
        this.application = application;
    }

    String of(String stream, StreamProperties settings) {
        if (StringUtils.hasText(settings.groupId())) {
            return settings.groupId();
        }
        return StringUtils.hasText(application) ? PREFIX + application + "-" + stream : PREFIX + stream;
    }
}
