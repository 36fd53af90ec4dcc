package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** An application starts again in the same JVM with new classes of the same names, as with devtools. */
class ReplacedClassLoaderTest {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final String topic = broker.newTopic(1);

    @Test
    @Tag("J7")
    void eachStartUsesTheClassesOfItsOwnLoader() throws Exception {
        PostgresServer.execute(database, "create table orders (id bigint, stream text)");

        App.send(broker, topic, "{\"id\": 1}");
        startWithNewClasses(2);
        App.send(broker, topic, "{\"id\": 2}");
        startWithNewClasses(4);

        assertThat(App.column(database, "select id || stream from orders order by 1"))
                .containsExactly("1json", "1own", "2json", "2own");
        assertThat(App.column(database, "select message from tandem.dead_letter"))
                .isEmpty();
    }

    /** Until there are so many orders, or a dead letter. */
    private void startWithNewClasses(int orders) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        ClassLoader restart = new RestartLoader(before);
        thread.setContextClassLoader(restart);
        try {
            Class<?> application = restart.loadClass(Application.class.getName());
            assertThat(application).isNotSameAs(Application.class);
            try (ConfigurableApplicationContext context = App.of(application)
                    .withoutJpa()
                    .on(database)
                    .on(broker)
                    .with(
                            "tandem.streams.json.topics=" + topic,
                            "tandem.streams.own.topics=" + topic,
                            "tandem.streams.own.value-deserializer=" + Application.OrderReader.class.getName())
                    .start()) {
                App.await()
                        .until(
                                () -> App.column(
                                        database,
                                        "select id::text from orders union all select message from tandem.dead_letter"),
                                rows -> rows.size() >= orders);
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Like that of devtools: the application's classes are its own, all others are its parent's. */
    private static final class RestartLoader extends ClassLoader {

        RestartLoader(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(Application.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    // What it uses of others is public: its package is another one at run time.
    @Configuration
    @EnableAutoConfiguration
    @Import(Application.Orders.class)
    static class Application {

        record Order(long id) {}

        static class Orders {
            private final JdbcClient jdbc;

            Orders(JdbcClient jdbc) {
                this.jdbc = jdbc;
            }

            @ForeachBatch("json")
            void json(Batch<Order> orders) {
                orders.forEach(order -> insert(order, "json"));
            }

            @ForeachBatch("own")
            void own(List<Order> orders) {
                orders.forEach(order -> insert(order, "own"));
            }

            private void insert(Order order, String stream) {
                jdbc.sql("insert into orders values (?, ?)")
                        .params(order.id(), stream)
                        .update();
            }
        }

        static class OrderReader implements Deserializer<Order> {
            @Override
            public Order deserialize(String topic, byte[] value) {
                return JsonMapper.shared().readValue(value, Order.class);
            }
        }
    }
}
