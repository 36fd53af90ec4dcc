package io.github.tandemstreams.kafka;

import io.github.tandemstreams.source.SourceUnavailableException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;

/** The admin client, made when it is first needed, and how its failures are told. Threading: any thread. */
final class AdminConnection implements AutoCloseable {

    private final ConsumerSettings settings;
    private @Nullable Admin admin;

    AdminConnection(ConsumerSettings settings) {
        this.settings = settings;
    }

    /** @throws SourceUnavailableException if no client can be made of the properties now */
    synchronized Admin admin() {
        Admin present = admin;
        if (present == null) {
            try {
                present = Admin.create(settings.admin());
            } catch (RuntimeException refused) {
                throw unavailable(refused);
            }
            admin = present;
        }
        return present;
    }

    /**
     * Waits for an answer.
     *
     * @throws ExecutionException with Kafka's exception
     * @throws SourceUnavailableException if there is none in time
     */
    <T> T await(KafkaFuture<T> answer) throws ExecutionException {
        try {
            // Kafka keeps to this limit by itself; a second more is for the case that its thread doesn't.
            return answer.get(settings.apiTimeoutMs() + 1_000L, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw unavailable(late);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw unavailable(stopping);
        }
    }

    /** Whatever the brokers' refusal is: it may be mended while the stream waits, so another try is worth it. */
    SourceUnavailableException unavailable(@Nullable Throwable cause) {
        String servers = settings.bootstrapServers();
        if (cause instanceof AuthenticationException) {
            return new SourceUnavailableException(
                    "Kafka at " + servers + " refuses the login (" + cause.getMessage()
                            + "): check spring.kafka.security, ssl and sasl properties",
                    cause);
        }
        if (cause instanceof AuthorizationException) {
            return new SourceUnavailableException(
                    "Kafka at " + servers + " refuses access (" + cause.getMessage()
                            + "): the application needs DESCRIBE and READ on topics " + settings.topics()
                            + ", and DESCRIBE on the group that it starts from",
                    cause);
        }
        return new SourceUnavailableException(
                "Kafka at " + servers + " can't be reached (" + cause
                        + "): check that the brokers run and that bootstrap.servers is right",
                cause == null ? new IllegalStateException("No cause") : cause);
    }

    @Override
    public synchronized void close() {
        Admin present = admin;
        admin = null;
        if (present != null) {
            // Whoever waited for an answer has given up by now.
            present.close(Duration.ZERO);
        }
    }
}
