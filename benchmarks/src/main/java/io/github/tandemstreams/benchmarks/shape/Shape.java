package io.github.tandemstreams.benchmarks.shape;

import io.github.tandemstreams.benchmarks.Benchmark;
import io.github.tandemstreams.benchmarks.Options;
import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.Contenders;
import io.github.tandemstreams.benchmarks.report.Figures;
import io.github.tandemstreams.benchmarks.report.Machine;
import io.github.tandemstreams.benchmarks.servers.Database;
import io.github.tandemstreams.benchmarks.servers.Servers;
import io.github.tandemstreams.benchmarks.throughput.Expectation;
import io.github.tandemstreams.benchmarks.throughput.Fingerprint;
import io.github.tandemstreams.benchmarks.throughput.Measurement;
import io.github.tandemstreams.benchmarks.workloads.Input;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The throughput of Tandem by the most records that a batch may take, and by the size of the records. Larger ones carry a note
 * that no handler reads, so that what they cost is their way from the broker to the handler.
 */
public final class Shape implements Benchmark {

    private static final int RECORDS = 400_000;
    private static final int ROUNDS = 2;
    private static final Set<String> CONTENDERS = Set.of(Contenders.TANDEM, Contenders.TANDEM_BULK);

    private static final List<Integer> RECORDS_PER_BATCH = List.of(10, 100, 1_000, 5_000);

    /** Characters of the note. */
    private static final List<Integer> NOTES = List.of(900, 4_900);

    @Override
    public String name() {
        return "shape";
    }

    @Override
    public boolean run(Options options) throws Exception {
        List<Contender> contenders =
                Contenders.built(each -> CONTENDERS.contains(each) && options.wantsContender(each));
        Path directory = Files.createDirectories(options.directory());
        int records = options.records(RECORDS);
        try (Servers servers = Servers.start(directory)) {
            Map<Integer, Measurement> byNote = new LinkedHashMap<>();
            Input orders = Input.orders(records);
            // A note is in no column: the rows are the same.
            Map<Workload, Fingerprint> expected = Expectation.of(orders, List.of(Workload.ORDERS), servers.postgres());
            Measurement plain = measurement(servers, orders, expected, directory);
            for (int note : NOTES) {
                byNote.put(note, measurement(servers, Input.orders(records, note), expected, directory));
            }
            Figures figures = new Figures(name(), Machine.here(servers.postgres()), List.of("records/s"));
            for (int round = 1; round <= options.rounds(ROUNDS); round++) {
                for (Contender contender : contenders) {
                    for (int most : RECORDS_PER_BATCH) {
                        String label = contender.name() + ", batches of up to " + most;
                        add(plain, contender.with(maxRecordsPerBatch(most)), label, round, servers, figures);
                    }
                    for (Map.Entry<Integer, Measurement> larger : byNote.entrySet()) {
                        String label = contender.name() + ", records with a note of " + larger.getKey();
                        add(larger.getValue(), contender, label, round, servers, figures);
                    }
                }
            }
            return figures.finish(directory);
        }
    }

    private static String maxRecordsPerBatch(int most) {
        return "-Dtandem.defaults.max-records-per-batch=" + most;
    }

    private static Measurement measurement(
            Servers servers, Input input, Map<Workload, Fingerprint> expected, Path directory) throws Exception {
        servers.broker().fill(input);
        return new Measurement(servers, input.topic(), (int) input.records(), expected, directory);
    }

    private static void add(
            Measurement measurement, Contender contender, String label, int round, Servers servers, Figures figures)
            throws Exception {
        try (Database database = servers.postgres().newDatabase()) {
            String name = label.replaceAll("\\W+", "-") + "-" + round;
            figures.add(label, round, measurement.in(database, contender, Workload.ORDERS, round, name));
        }
    }
}
