package io.github.tandemstreams.benchmarks.onlookers;

import java.time.Duration;
import java.util.List;

/**
 * Who asks a contender's web server the same again and again.
 *
 * @param after when it asks for the first time, counted from when the contender says that it can be asked
 * @param every from the last answer to the next question
 * @param paths what it asks, one after the other, where {@value #STREAM} stands for the name of the contender's stream
 */
public record Onlooker(Duration after, Duration every, List<String> paths) {

    static final String STREAM = "{stream}";
}
