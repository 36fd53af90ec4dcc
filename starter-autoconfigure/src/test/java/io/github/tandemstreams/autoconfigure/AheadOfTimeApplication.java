package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.StreamRecord;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/** An application that is processed ahead of time. It runs until its standard input ends. */
@Configuration
@EnableAutoConfiguration
@Import({AheadOfTimeApplication.OrderHandler.class, AheadOfTimeApplication.AuditHandler.class})
class AheadOfTimeApplication {

    public static void main(String[] args) throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(AheadOfTimeApplication.class)
                .web(WebApplicationType.NONE)
                .run(args)) {
            System.in.transferTo(System.out);
        }
    }

    record Envelope<T>(String sender, T payload) {}

    record Order(long id, List<Line> lines) {}

    record Line(String article, Map<String, Price> prices) {}

    record Price(int cents) {}

    abstract static class EnvelopeHandler<T> {

        private final JdbcClient jdbc;

        EnvelopeHandler(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        @ForeachBatch("${orders}")
        void handle(Batch<Envelope<T>> envelopes) {
            envelopes.forEach(envelope -> insert("orders", envelope));
        }

        void insert(String stream, Object value) {
            jdbc.sql("insert into orders values (?, ?)")
                    .params(stream, value.toString())
                    .update();
        }
    }

    static class OrderHandler extends EnvelopeHandler<Order> {
        OrderHandler(JdbcClient jdbc) {
            super(jdbc);
        }
    }

    record Entry(String sender, Receipt payload) {}

    record Receipt(long id) {}

    interface Audit {
        @ForeachBatch("audit")
        void handle(List<StreamRecord<Entry>> entries);
    }

    @Transactional
    static class AuditHandler implements Audit {

        private final JdbcClient jdbc;

        AuditHandler(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        @Override
        public void handle(List<StreamRecord<Entry>> entries) {
            entries.forEach(entry -> jdbc.sql("insert into orders values ('audit', ?)")
                    .params(entry.value().toString())
                    .update());
        }
    }
}
