package io.github.tandemstreams.torture.input;

import io.github.tandemstreams.torture.input.Message.Kind;
import java.util.Random;

/**
 * Draws the records of one producer.
 *
 * <p>Threading: belongs to one producer.
 */
final class Mix {

    private final Random random;
    private final String producer;
    private final boolean poison;
    private long number;

    Mix(Random random, String producer, boolean poison) {
        this.random = random;
        this.producer = producer;
        this.poison = poison;
    }

    Message next() {
        return Message.of(kind(random.nextInt(3_000)), producer, number++);
    }

    private Kind kind(int draw) {
        if (draw < 10) {
            return Kind.SLOW;
        }
        if (draw < 20) {
            return Kind.TOMBSTONE;
        }
        if (draw < 22) {
            return Kind.UNDECODABLE;
        }
        if (poison && draw < 24) {
            return draw == 22 ? Kind.BAD : Kind.REFUSED;
        }
        return Kind.PLAIN;
    }

    /** Low numbers come more often: some lanes are busy, some idle most of the time. */
    int partition(int partitions) {
        double skewed = Math.pow(random.nextDouble(), 1.5);
        return (int) (skewed * partitions);
    }
}
