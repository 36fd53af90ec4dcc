package io.github.tandemstreams.kafka;

import io.github.tandemstreams.source.LaneListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.event.ConsumerStoppedEvent;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.ContainerProperties.AssignmentCommitOption;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.scheduling.TaskScheduler;

/**
 * One listener container with its consumer, from its start to its end. However it ends, its lanes are given back and its
 * consumer is closed.
 *
 * <p>Threading: {@link #wakeUp()} any thread and never blocks; the rest the poller's.
 */
final class ConsumerLife {

    private static final Logger log = LoggerFactory.getLogger(ConsumerLife.class);

    private final ConsumerSettings settings;
    private final Trouble trouble;
    private final HeldLanes lanes;
    private final Runnable ended;
    private final AtomicBoolean wakeUpAsked = new AtomicBoolean();
    private final CountDownLatch end = new CountDownLatch(1);
    private final KafkaMessageListenerContainer<byte[], byte[]> container;
    private volatile @Nullable Consumer<byte[], byte[]> consumer;

    /** @param ended runs on the consumer's thread when that is about to end */
    ConsumerLife(
            ConsumerSettings settings,
            LaneListener listener,
            Trouble trouble,
            TaskScheduler scheduler,
            Runnable ended) {
        this.settings = settings;
        this.trouble = trouble;
        this.lanes = new HeldLanes(listener);
        this.ended = ended;
        this.container = container(scheduler);
    }

    /** @throws RuntimeException if no consumer can be made of the properties; this life is over then */
    void start() {
        try {
            container.start();
        } catch (RuntimeException stillborn) {
            bury();
            throw stillborn;
        }
    }

    /**
     * Makes the consumer look at its lanes. A running poll is interrupted; between polls there is nothing to interrupt, and
     * the look before the next one comes at once.
     */
    void wakeUp() {
        if (!wakeUpAsked.getAndSet(true)) {
            // It was never paused as a whole, so that all this does is wake it.
            container.resume();
        }
    }

    /** Stops in order: last group commit, lanes given back, consumer closed. */
    void stop(Duration patience) {
        container.stop(() -> {});
        try {
            if (!end.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn(
                        "The consumer of group '{}' didn't end within {} s; its lanes are given back without it",
                        settings.groupId(),
                        patience.toSeconds());
            }
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
        lanes.close();
    }

    private KafkaMessageListenerContainer<byte[], byte[]> container(TaskScheduler scheduler) {
        GroupOffsets groupOffsets = new GroupOffsets();
        ContainerProperties properties =
                new ContainerProperties(settings.topics().toArray(String[]::new));
        properties.setGroupId(settings.groupId());
        properties.setClientId(settings.clientId());
        properties.setPollTimeout(settings.pollTimeout().toMillis());
        // With nothing ever acknowledged, the container commits nothing.
        properties.setAckMode(AckMode.MANUAL);
        properties.setAssignmentCommitOption(AssignmentCommitOption.NEVER);
        properties.setMicrometerEnabled(false);
        properties.setScheduler(scheduler);
        properties.setListenerTaskExecutor(thread());
        properties.setConsumerRebalanceListener(new Rebalance(lanes, groupOffsets));
        properties.setMessageListener(new LaneFeed(lanes, trouble));

        KafkaMessageListenerContainer<byte[], byte[]> made =
                new KafkaMessageListenerContainer<>(consumers(), properties);
        made.setBeanName(settings.clientId());
        made.setBatchInterceptor(new BeforePoll(lanes, groupOffsets, trouble, wakeUpAsked));
        made.setCommonErrorHandler(new PollErrors(settings, lanes, trouble));
        made.setApplicationEventPublisher(event -> {
            if (event instanceof ConsumerStoppedEvent stopped) {
                explain(stopped.getReason());
            }
        });
        return made;
    }

    private DefaultKafkaConsumerFactory<byte[], byte[]> consumers() {
        return new DefaultKafkaConsumerFactory<>(settings.consumer()) {
            @Override
            protected Consumer<byte[], byte[]> createRawConsumer(Map<String, Object> properties) {
                LaneConsumer made = new LaneConsumer(properties, trouble);
                consumer = made;
                return made;
            }
        };
    }

    /** The container's thread. Its end is the one thing that no failure inside of it can hide. */
    private SimpleAsyncTaskExecutor thread() {
        SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor(settings.clientId() + "-consumer-");
        executor.setDaemon(true);
        executor.setTaskDecorator(polling -> () -> {
            try {
                polling.run();
            } finally {
                bury();
                ended.run();
            }
        });
        return executor;
    }

    private void bury() {
        try {
            lanes.close();
            Consumer<byte[], byte[]> left = consumer;
            if (left != null) {
                // Nothing is left to do if the container closed it. If it couldn't, this gives the partitions back.
                left.close();
            }
        } catch (RuntimeException wontClose) {
            log.debug("The consumer of group '{}' couldn't be closed", settings.groupId(), wontClose);
        } finally {
            end.countDown();
        }
    }

    private void explain(ConsumerStoppedEvent.Reason reason) {
        switch (reason) {
            case FENCED ->
                trouble.found("Another consumer of group '" + settings.groupId()
                        + "' uses the same group.instance.id: give each instance its own. It is tried again until that"
                        + " works");
            case NORMAL, ABNORMAL, AUTH -> {
                // Stopped by us, or explained where the exception was seen.
            }
            default ->
                trouble.found("The consumer of group '" + settings.groupId() + "' stopped by itself (" + reason
                        + "); it is started again");
        }
    }
}
