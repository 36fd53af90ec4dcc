package io.github.tandemstreams.source;

/** A topic that a stream is configured to read doesn't exist. */
public class TopicNotFoundException extends RuntimeException {

    private final String topic;

    public TopicNotFoundException(String topic) {
        super("Topic '" + topic + "' doesn't exist");
        this.topic = topic;
    }

    /** Name of the topic. */
    public String topic() {
        return topic;
    }
}
