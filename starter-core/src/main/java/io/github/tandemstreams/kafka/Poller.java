package io.github.tandemstreams.kafka;

import io.github.tandemstreams.source.LaneListener;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Keeps a consumer running from start to stop: when one ends by itself, the next one is started after a while.
 *
 * <p>Threading: any thread; {@link #wakeUp()} never blocks.
 */
final class Poller {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** A consumer that lived this long worked: the pauses start again from the shortest. */
    private static final Duration LONG_LIFE = Duration.ofMinutes(1);

    private final ConsumerSettings settings;
    private final LaneListener listener;
    private final Trouble trouble;
    private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
    private volatile @Nullable ConsumerLife life;
    private Instant born = Instant.MIN;
    private Duration pause = FIRST_PAUSE;
    private boolean stopped;

    Poller(ConsumerSettings settings, LaneListener listener) {
        this.settings = settings;
        this.listener = listener;
        this.trouble = new Trouble(settings, listener);
        scheduler.setThreadNamePrefix(settings.clientId() + "-poller-");
        scheduler.setDaemon(true);
        scheduler.initialize();
    }

    /** Returns at once: to make a consumer takes a while, and fails while the brokers' names can't be resolved. */
    void start() {
        scheduler.execute(this::live);
    }

    void wakeUp() {
        ConsumerLife present = life;
        if (present != null) {
            present.wakeUp();
        }
    }

    void stop() {
        ConsumerLife last;
        synchronized (this) {
            stopped = true;
            last = life;
        }
        if (last != null) {
            last.stop(PATIENCE);
        }
        scheduler.shutdown();
    }

    private synchronized void live() {
        if (stopped) {
            return;
        }
        born = Instant.now();
        trouble.begins();
        ConsumerLife next = new ConsumerLife(settings, listener, trouble, scheduler, this::goOn);
        life = next;
        try {
            next.start();
        } catch (RuntimeException refused) {
            trouble.found("No consumer of group '" + settings.groupId() + "' can be made for Kafka at "
                    + settings.bootstrapServers() + ": " + Trouble.rootOf(refused)
                    + ". It is tried again until that works");
            goOn();
        }
    }

    private synchronized void goOn() {
        if (stopped) {
            return;
        }
        Instant now = Instant.now();
        if (Duration.between(born, now).compareTo(LONG_LIFE) > 0) {
            pause = FIRST_PAUSE;
        }
        scheduler.schedule(this::live, now.plus(pause));
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
}
