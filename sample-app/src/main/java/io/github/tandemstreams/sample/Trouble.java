package io.github.tandemstreams.sample;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/** Makes bad records and a slow handler, to see what becomes of the stream. Threading: any thread. */
@Component
class Trouble {

    /** Cut off, so that it can't be read; and something that must not run in anybody's page. */
    private static final String UNREADABLE = "{\"origin\": \"<script>alert('bad record')</script>";

    /** Can be read, but the table demands a date. */
    private static final String REFUSED = "{\"delay\":7,\"distance\":606,\"origin\":\"ORD\",\"destination\":\"ATL\"}";

    private final RandomGenerator random = RandomGenerator.getDefault();
    private volatile Settings settings;

    Trouble(SampleProperties properties) {
        this.settings = properties.trouble();
    }

    /**
     * How much of it.
     *
     * @param badRecords share of generated records that are bad: 0 for none, 1 for all
     * @param slowMillis how much longer each batch takes, in milliseconds
     */
    record Settings(
            @DefaultValue("0") double badRecords,
            @DefaultValue("0") long slowMillis) {

        private static final long MAX_MILLIS = 60_000;

        Settings {
            if (!(badRecords >= 0 && badRecords <= 1)) {
                throw new IllegalArgumentException("badRecords " + badRecords + " isn't from 0 to 1");
            }
            if (slowMillis < 0 || slowMillis > MAX_MILLIS) {
                throw new IllegalArgumentException("slowMillis " + slowMillis + " isn't from 0 to " + MAX_MILLIS);
            }
        }
    }

    Settings settings() {
        return settings;
    }

    void change(Settings wanted) {
        settings = wanted;
    }

    /** The record, or a bad one in its place. */
    String spoil(String flight) {
        if (random.nextDouble() >= settings.badRecords()) {
            return flight;
        }
        return random.nextBoolean() ? UNREADABLE : REFUSED;
    }

    /** Called by the handler in each batch. */
    void slowDown() {
        try {
            TimeUnit.MILLISECONDS.sleep(settings.slowMillis());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The stream stops", stopping);
        }
    }
}
