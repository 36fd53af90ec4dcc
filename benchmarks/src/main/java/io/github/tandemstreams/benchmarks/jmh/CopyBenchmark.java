package io.github.tandemstreams.benchmarks.jmh;

import de.bytefish.pgbulkinsert.PgBulkInsert;
import de.bytefish.pgbulkinsert.mapping.AbstractMapping;
import io.github.tandemstreams.benchmarks.workloads.Input;
import io.github.tandemstreams.benchmarks.workloads.Order;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import io.github.tandemstreams.postgres.PostgresWriter;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.postgresql.PGConnection;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import tools.jackson.databind.json.JsonMapper;

/** Orders through the bulk writer, and through a library for the same: what it takes to make the bytes for COPY, which aren't sent. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls start() and begin() before anything else
public class CopyBenchmark {

    private static final JsonMapper JSON = new JsonMapper();

    /** Of a batch. */
    @Param({"1", "1000"})
    public int records;

    private List<Order> orders;
    private EmbeddedPostgres server;
    private PostgresWriter<Order> writer;
    private PgBulkInsert<Order> library;
    private PGConnection connection;
    private PlatformTransactionManager transactions;
    private TransactionStatus transaction;

    /** A server all the same: the writer asks it for the columns' types, once. */
    @Setup
    public void start() throws IOException, SQLException {
        orders = LongStream.range(0, records)
                .mapToObj(id -> JSON.readValue(Input.order(id, Instant.EPOCH), Order.class))
                .toList();
        server = EmbeddedPostgres.start();
        new JdbcTemplate(server.getPostgresDatabase()).execute(Workload.ORDERS.ddl());
        Connection copiesNothing = UnsentCopy.on(server.getPostgresDatabase().getConnection());
        connection = copiesNothing.unwrap(PGConnection.class);
        library = new PgBulkInsert<>(new Columns());
        DataSource unsent = new SingleConnectionDataSource(copiesNothing, true);
        transactions = new JdbcTransactionManager(unsent);
        writer = PostgresWriter.copyInto("orders", Order.class).on(unsent);
    }

    /** The writer wants a transaction. Nothing is sent in it, so one is as good as another. */
    @Setup(Level.Iteration)
    public void begin() {
        transaction = transactions.getTransaction(new DefaultTransactionDefinition());
    }

    /** Ends it. */
    @TearDown(Level.Iteration)
    public void rollBack() {
        transactions.rollback(transaction);
    }

    /** The whole of a write, but for the server's part. */
    @Benchmark
    public void copy() {
        writer.write(orders);
    }

    /** The same rows by PgBulkInsert. */
    @Benchmark
    public void library() throws SQLException {
        library.saveAll(connection, orders);
    }

    /** Stops the server. */
    @TearDown
    public void stop() throws IOException {
        server.close();
    }

    private static final class Columns extends AbstractMapping<Order> {

        Columns() {
            super("public", "orders");
            mapLongPrimitive("id", Order::id);
            mapIntegerPrimitive("customer", Order::customer);
            mapText("product", Order::product);
            mapIntegerPrimitive("quantity", Order::quantity);
            mapNumeric("price", Order::price);
            mapTimeStampTz("at", order -> order.at().atZone(ZoneOffset.UTC));
        }
    }
}
