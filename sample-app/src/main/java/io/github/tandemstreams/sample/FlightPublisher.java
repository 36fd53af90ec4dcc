package io.github.tandemstreams.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Publishes flights, keyed by their origin. */
@Component
class FlightPublisher implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(FlightPublisher.class);

    private final SampleProperties properties;
    private final KafkaTemplate<String, String> kafka;
    private final JsonMapper json;
    private final Trouble trouble;
    private final CompletableFuture<Long> published = new CompletableFuture<>();
    private final Thread thread = new Thread(this::publish, "flight-publisher");
    private volatile boolean running;

    FlightPublisher(
            SampleProperties properties, KafkaTemplate<String, String> kafka, JsonMapper json, Trouble trouble) {
        this.properties = properties;
        this.kafka = kafka;
        this.json = json;
        this.trouble = trouble;
    }

    /** Done when everything is in the topic; never, while flights are being generated. */
    CompletableFuture<Long> published() {
        return published;
    }

    @Override
    public void start() {
        running = true;
        thread.start();
    }

    private void publish() {
        try {
            switch (properties.publish()) {
                case GENERATE -> generate();
                case FILE -> published.complete(publish(file()));
                case NONE -> published.complete(0L);
            }
        } catch (InterruptedException stopped) {
            log.debug("Publisher stopped");
        } catch (IOException | RuntimeException failure) {
            log.error("Publishing failed", failure);
            published.completeExceptionally(failure);
        }
    }

    private Path file() {
        Path file = properties.flightsFile();
        if (file == null) {
            throw new IllegalStateException("sample.publish=file needs sample.flights-file");
        }
        return file;
    }

    private long publish(Path file) throws IOException {
        long lines = 0;
        CompletableFuture<?> last = CompletableFuture.completedFuture(null);
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            for (String line = reader.readLine(); line != null && running; line = reader.readLine()) {
                CompletableFuture<?> sent = kafka.send(
                        FlightTopic.NAME, json.readValue(line, Flight.class).origin(), line);
                last = last.thenCombine(sent, (before, now) -> now);
                lines++;
            }
        }
        kafka.flush();
        last.join();
        log.info("Published {} flights of {}", lines, file);
        return lines;
    }

    private void generate() throws InterruptedException {
        FlightGenerator flights = new FlightGenerator();
        long pause = TimeUnit.SECONDS.toNanos(1) / properties.rate();
        long next = System.nanoTime();
        while (running) {
            Flight flight = flights.next();
            kafka.send(FlightTopic.NAME, flight.origin(), trouble.spoil(json.writeValueAsString(flight)));
            next += pause;
            TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
        }
    }

    @Override
    public void stop() {
        running = false;
        thread.interrupt();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
