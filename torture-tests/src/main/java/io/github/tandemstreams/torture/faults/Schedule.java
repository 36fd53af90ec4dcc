package io.github.tandemstreams.torture.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** All faults of a run. The same seed, span and rate give the same schedule. */
public final class Schedule {

    private Schedule() {}

    /** Faults at random moments: of each kind {@code perMinute} on average, and one at least. */
    public static List<Fault> of(long seed, Duration span, double perMinute, int applications) {
        Random random = new Random(seed);
        long each = Math.max(1, Math.round(perMinute * span.toMillis() / 60_000));
        List<Fault> faults = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            for (long i = 0; i < each; i++) {
                faults.add(new Fault(
                        kind,
                        Duration.ofMillis((long) (random.nextDouble() * span.toMillis())),
                        random.nextInt(applications),
                        random.nextDouble(),
                        random.nextBoolean()));
            }
        }
        faults.sort(Comparator.comparing(Fault::at));
        return faults;
    }
}
