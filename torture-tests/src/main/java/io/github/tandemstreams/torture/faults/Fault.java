package io.github.tandemstreams.torture.faults;

import java.time.Duration;

/**
 * A fault of the schedule. What it hits may still be busy with the one before: then it comes right after that.
 *
 * @param kind what is done
 * @param at when, counted from the first moment of the schedule
 * @param application which of the applications it is done to; other kinds have no use for it
 * @param amount between 0 and 1: how long or how many
 * @param variant which of the two ways to do it
 */
public record Fault(FaultKind kind, Duration at, int application, double amount, boolean variant) {

    @Override
    public String toString() {
        return "%7.1f s  %s%s (%.2f, %s)"
                .formatted(
                        at.toMillis() / 1000.0,
                        kind.label(),
                        kind.hitsApplication() ? " app-" + (application + 1) : "",
                        amount,
                        variant);
    }
}
