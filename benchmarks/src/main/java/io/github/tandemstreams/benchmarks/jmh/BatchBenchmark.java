package io.github.tandemstreams.benchmarks.jmh;

import io.github.tandemstreams.benchmarks.workloads.Input;
import io.github.tandemstreams.benchmarks.workloads.Order;
import io.github.tandemstreams.source.Decoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * From the result of a poll to the end of its batch: into the lane's buffer, cut and planned by the worker, decoded, handed to a
 * handler that does nothing, and committed to a checkpoint that is no database. Two threads hand over to each other, as they
 * do in an application, so the time of a single record is mostly that of waking them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls start() before anything else
public class BatchBenchmark {

    private static final ObjectReader ORDER = new JsonMapper().readerFor(Order.class);

    /** Records of a poll. */
    @Param({"1", "1000"})
    public int records;

    private List<byte[]> values;
    private MemoryStream<byte[]> bytes;
    private MemoryStream<Order> orders;

    /** Starts a stream for each kind of value. */
    @Setup
    public void start() {
        values = LongStream.range(0, records)
                .mapToObj(id -> Input.order(id, Instant.EPOCH).getBytes(StandardCharsets.UTF_8))
                .toList();
        bytes = MemoryStream.start(record -> Objects.requireNonNull(record.value()));
        Decoder<Order> json = record -> ORDER.readValue(Objects.requireNonNull(record.value()));
        orders = MemoryStream.start(json);
    }

    /** What the engine takes: the values stay as they are. */
    @Benchmark
    public void bytes() throws InterruptedException {
        bytes.run(values);
    }

    /** The same with values that are read from JSON. */
    @Benchmark
    public void json() throws InterruptedException {
        orders.run(values);
    }

    /** Stops both. */
    @TearDown
    public void stop() {
        bytes.stop();
        orders.stop();
    }
}
