package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.DeadLetters;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.autoconfigure.orders.OrderEntity;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import jakarta.persistence.EntityManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Re-drives that web requests give, in an application with JPA that keeps its sessions open in them. */
class RedriveInWebRequestsTest {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final String topic = broker.newTopic(1);

    @BeforeEach
    void anOrder() {
        PostgresServer.execute(database, "create table orders (id bigint primary key, customer text)");
        PostgresServer.execute(database, "insert into orders values (1, 'ann')");
    }

    /** Such as a worker's batch, between two letters about the same row. */
    @Test
    void whatOthersCommitBetweenTwoLettersIsSeenByTheSecond() throws Exception {
        try (ConfigurableApplicationContext context = App.of(WebApplication.class)
                .on(database)
                .on(broker)
                .with("server.port=0", "tandem.streams.orders.topics=" + topic, "tandem.streams.orders.max-attempts=1")
                .startAs(WebApplicationType.SERVLET)) {
            Orders orders = context.getBean(Orders.class);
            orders.before = value -> {
                throw new IllegalArgumentException("not yet");
            };
            App.send(broker, topic, "first", "second");
            App.await()
                    .untilAsserted(() -> assertThat(App.column(database, "select status from tandem.dead_letter"))
                            .containsExactly("parked", "parked"));
            orders.before = value -> {
                if (value.equals("second")) {
                    PostgresServer.execute(database, "update orders set customer = customer || ' other'");
                }
            };
            URI here =
                    URI.create("http://localhost:" + context.getEnvironment().getRequiredProperty("local.server.port"));
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(here.resolve("/redrive"))
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("2");
            assertThat(App.column(database, "select customer from orders")).containsExactly("ann first other second");
        }
    }

    @EnableAutoConfiguration
    @EntityScan(basePackageClasses = OrderEntity.class)
    @Import({Orders.class, Desk.class, OrdersApplication.ServletSecurity.class})
    static class WebApplication {}

    static class Orders {
        private final EntityManager entities;
        volatile Consumer<String> before = value -> {};

        Orders(EntityManager entities) {
            this.entities = entities;
        }

        @ForeachBatch("orders")
        void handle(Batch<String> values) {
            for (String value : values) {
                before.accept(value);
                entities.find(OrderEntity.class, 1L).append(" " + value);
            }
        }
    }

    @RestController
    static class Desk {
        private final DeadLetters deadLetters;

        Desk(DeadLetters deadLetters) {
            this.deadLetters = deadLetters;
        }

        @PostMapping("/redrive")
        int redrive() {
            return deadLetters.redriveAll("orders");
        }
    }
}
