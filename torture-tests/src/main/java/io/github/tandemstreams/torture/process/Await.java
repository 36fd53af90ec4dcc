package io.github.tandemstreams.torture.process;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for conditions. */
public final class Await {

    private static final Duration POLL = Duration.ofMillis(200);

    private Await() {}

    /** @throws IllegalStateException if the condition doesn't hold in time */
    public static void until(Duration patience, String what, BooleanSupplier condition) {
        if (!holds(patience, condition)) {
            throw new IllegalStateException("Waited " + patience.toSeconds() + " s for " + what);
        }
    }

    /** Whether the condition holds in time. */
    public static boolean holds(Duration patience, BooleanSupplier condition) {
        Instant deadline = Instant.now().plus(patience);
        while (!condition.getAsBoolean()) {
            if (Instant.now().isAfter(deadline)) {
                return false;
            }
            pause(POLL);
        }
        return true;
    }

    /** The first answer that will do; null if there is none in time. A question may fail on the way. */
    public static <T> @Nullable T firstOf(Duration patience, Supplier<@Nullable T> question, Predicate<T> willDo) {
        AtomicReference<@Nullable T> answer = new AtomicReference<>();
        holds(patience, () -> {
            try {
                T candidate = question.get();
                if (candidate != null && willDo.test(candidate)) {
                    answer.set(candidate);
                }
            } catch (RuntimeException notNow) {
                return false;
            }
            return answer.get() != null;
        });
        return answer.get();
    }

    /** Lets time pass. */
    public static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
