package io.github.tandemstreams.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PeriodicTest {

    @Test
    @Tag("K5")
    void anErrorDoesNotEndIt() {
        AtomicInteger runs = new AtomicInteger();
        Periodic periodic = new Periodic("periodic-test", Duration.ZERO, Duration.ofMillis(10), () -> {
            runs.incrementAndGet();
            throw new NoClassDefFoundError("gone");
        });
        periodic.start();
        await().until(() -> runs.get() >= 3);
        periodic.stop(Duration.ofSeconds(10));
    }

    @Test
    void whoIsInAHurryEndsItToo() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        AtomicReference<Thread> thread = new AtomicReference<>();
        Periodic periodic = new Periodic("periodic-test", Duration.ZERO, Duration.ofMillis(10), () -> {
            thread.set(Thread.currentThread());
            runs.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        periodic.start();
        assertThat(runs.await(10, TimeUnit.SECONDS)).isTrue();
        Thread.currentThread().interrupt();
        periodic.stop(Duration.ofSeconds(10));
        assertThat(Thread.interrupted()).isTrue();
        await().until(() -> !thread.get().isAlive());
    }
}
