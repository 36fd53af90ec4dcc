package io.github.tandemstreams.benchmarks.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.from_json;

import io.github.tandemstreams.benchmarks.contenders.Finish;
import io.github.tandemstreams.benchmarks.contenders.Said;
import io.github.tandemstreams.benchmarks.contenders.Task;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.StructType;

/** Micro-batches, in one JVM. */
public final class SparkForeachBatch {

    private static final String MASTER = "local[2]";
    private static final long RECORDS_PER_BATCH = 200_000;
    private static final int AT_LEAST_BATCHES = 5;

    private SparkForeachBatch() {}

    /** Runs until all records are committed. */
    public static void main(String[] args) throws Exception {
        Task task = Task.ofThisProcess();
        long perBatch = Math.min(RECORDS_PER_BATCH, Math.max(1, task.records() / AT_LEAST_BATCHES));
        Said.configuration("master", MASTER);
        Said.configuration("trigger", trigger(task));
        Said.configuration("maxOffsetsPerTrigger", perBatch);
        Said.configuration("batchsize", BatchSink.ROWS_PER_STATEMENT);
        Said.configuration("reWriteBatchedInserts", true);
        Said.configuration("spark.sql.shuffle.partitions", 2);
        SparkSession spark = SparkSession.builder()
                .master(MASTER)
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", 2)
                .config("spark.sql.session.timeZone", "UTC")
                .config("spark.sql.warehouse.dir", file(task, "warehouse"))
                .getOrCreate();
        Finish processed = new Finish(task.records());
        spark.streams().addListener(new ProcessedRows(processed));
        StreamingQuery query = values(spark, task, perBatch)
                .writeStream()
                .foreachBatch(BatchSink.of(task))
                .option("checkpointLocation", file(task, "checkpoint"))
                .trigger(trigger(task))
                .start();
        if (task.live()) {
            processed.await();
            query.stop();
        } else {
            query.awaitTermination();
            Said.figure("best-batch-per-second", bestBatch(query));
        }
        spark.stop();
    }

    private static Dataset<Row> values(SparkSession spark, Task task, long perBatch) {
        return spark.readStream()
                .format("kafka")
                .option("kafka.bootstrap.servers", task.bootstrapServers())
                .option("subscribe", task.topic())
                .option("startingOffsets", "earliest")
                .option("maxOffsetsPerTrigger", perBatch)
                .load()
                .select(from_json(col("value").cast("string"), schema(task)).as("value"))
                .select("value.*");
    }

    /** All there is and then the end; or one micro-batch after the other, as long as records come. */
    private static Trigger trigger(Task task) {
        return task.live() ? Trigger.ProcessingTime(0) : Trigger.AvailableNow();
    }

    private static StructType schema(Task task) {
        return switch (task.workload()) {
            case ORDERS, TOTALS ->
                StructType.fromDDL(
                        "id bigint, customer int, product string, quantity int, price decimal(10, 2), at timestamp");
            case FLIGHTS ->
                StructType.fromDDL("date string, delay int, distance int, origin string, destination string");
        };
    }

    private static double bestBatch(StreamingQuery query) {
        return Arrays.stream(query.recentProgress())
                .filter(progress -> progress.numInputRows() > 0)
                .mapToDouble(StreamingQueryProgress::processedRowsPerSecond)
                .max()
                .orElse(0);
    }

    private static String file(Task task, String name) {
        return Path.of(task.directory(), name).toString();
    }
}
