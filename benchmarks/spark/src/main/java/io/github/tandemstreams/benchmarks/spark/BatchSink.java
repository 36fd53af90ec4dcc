package io.github.tandemstreams.benchmarks.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;

import io.github.tandemstreams.benchmarks.contenders.Task;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;

/** What is done with a micro-batch. */
final class BatchSink {

    static final int ROWS_PER_STATEMENT = 5_000;

    private static final String UPSERT = """
            insert into product_total as total (product, orders, quantity, revenue) values (?, ?, ?, ?)
            on conflict (product) do update set orders = total.orders + excluded.orders,
                quantity = total.quantity + excluded.quantity, revenue = total.revenue + excluded.revenue
            """;

    private final String url;
    private final String table;

    private BatchSink(String url, String table) {
        this.url = url;
        this.table = table;
    }

    static VoidFunction2<Dataset<Row>, Long> of(Task task) {
        Workload workload = task.workload();
        BatchSink sink = new BatchSink(task.jdbcUrl() + "&reWriteBatchedInserts=true", workload.table());
        return workload == Workload.TOTALS ? sink::upsert : sink::append;
    }

    /** One transaction for each partition: at least once, as Spark's JDBC sink is. */
    private void append(Dataset<Row> batch, Long id) {
        Properties properties = new Properties();
        properties.setProperty("driver", "org.postgresql.Driver");
        properties.setProperty("batchsize", String.valueOf(ROWS_PER_STATEMENT));
        batch.write().mode(SaveMode.Append).jdbc(url, table, properties);
    }

    private void upsert(Dataset<Row> batch, Long id) throws SQLException {
        List<Row> totals = batch.groupBy("product")
                .agg(
                        count(lit(1)).as("orders"),
                        sum("quantity").as("quantity"),
                        sum(col("quantity").multiply(col("price"))).as("revenue"))
                .orderBy("product")
                .collectAsList();
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement upsert = connection.prepareStatement(UPSERT)) {
            connection.setAutoCommit(false);
            for (Row total : totals) {
                upsert.setString(1, total.getString(0));
                upsert.setLong(2, total.getLong(1));
                upsert.setLong(3, total.getLong(2));
                upsert.setBigDecimal(4, total.getDecimal(3));
                upsert.addBatch();
            }
            upsert.executeBatch();
            connection.commit();
        }
    }
}
