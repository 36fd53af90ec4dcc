package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.checkpoint.SettledSettingException;
import io.github.tandemstreams.source.TopicNotFoundException;
import java.util.Collection;
import java.util.TreeSet;

/** What can be wrong with a stream's settings and topics, and what to do about it. */
final class StreamMistakes {

    private StreamMistakes() {}

    static TandemConfigurationException invalid(String stream, IllegalArgumentException cause) {
        return new TandemConfigurationException(
                "Stream '" + stream + "' can't be configured as it is: " + cause.getMessage() + ".",
                "Correct tandem.streams." + stream + " or tandem.defaults.",
                cause);
    }

    static TandemConfigurationException topicMissing(String stream, TopicNotFoundException cause) {
        return new TandemConfigurationException(
                "Stream '" + stream + "' reads the topic '" + cause.topic() + "', which doesn't exist.",
                "Create the topic, or name another one in tandem.streams." + stream
                        + ".topics. If it does exist, the application may lack the right to describe it.",
                cause);
    }

    static TandemConfigurationException unknownSetting(String property, String setting, Collection<String> known) {
        return new TandemConfigurationException(
                "There is no setting '" + setting + "' of a stream, but " + property + " is set.",
                "Correct its name. The settings of a stream are " + String.join(", ", known) + ".");
    }

    static TandemConfigurationException settled(String stream, SettledSettingException cause) {
        String property = "tandem.streams." + stream + "." + cause.setting();
        return new TandemConfigurationException(
                "Stream '" + stream + "' was first started with " + cause.setting() + " " + cause.settled()
                        + ", and keeps it: a replayed batch must hold the records that it held before. Now it is configured"
                        + " as " + cause.configured() + ".",
                "Set " + property + "=" + cause.settled() + ", or start a stream of another name.",
                cause);
    }

    static TandemConfigurationException sharedGroup(
            String first, String second, String group, Collection<String> topics) {
        return new TandemConfigurationException(
                "Streams '" + first + "' and '" + second + "' are in the same consumer group, '" + group
                        + "', and both read " + new TreeSet<>(topics)
                        + ". Kafka would give each record to one of them only.",
                "Leave group-id unset, or set tandem.streams." + first + ".group-id and tandem.streams." + second
                        + ".group-id to different names.");
    }
}
