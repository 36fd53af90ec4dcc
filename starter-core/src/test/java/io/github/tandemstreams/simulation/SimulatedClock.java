package io.github.tandemstreams.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Time that passes only when it is told to. */
public final class SimulatedClock extends Clock {

    private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");

    private volatile Instant now = BEGIN;

    public void pass(Duration time) {
        now = now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("only instants are asked for");
    }
}
