package io.github.tandemstreams.benchmarks.throughput;

import io.github.tandemstreams.benchmarks.Benchmark;
import io.github.tandemstreams.benchmarks.Options;
import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.Contenders;
import io.github.tandemstreams.benchmarks.report.Machine;
import io.github.tandemstreams.benchmarks.report.Report;
import io.github.tandemstreams.benchmarks.servers.Servers;
import io.github.tandemstreams.benchmarks.workloads.Input;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Records a second, of each contender at each workload: in each round each contender once, one after the other, so that
 * whatever changes on the machine meets all of them; before the first a run that doesn't count, for the servers.
 */
public final class Throughput implements Benchmark {

    private static final int RECORDS = 2_000_000;
    private static final int ROUNDS = 3;

    @Override
    public String name() {
        return "throughput";
    }

    @Override
    public boolean run(Options options) throws Exception {
        List<Workload> workloads = workloads(options);
        List<Contender> contenders = Contenders.built(
                name -> !name.equals(Contenders.TANDEM_EFFECTS_DATABASE) && options.wantsContender(name));
        int records = options.records(RECORDS);
        Path directory = Files.createDirectories(options.directory());
        try (Servers servers = Servers.start(directory)) {
            Map<Workload, Fingerprint> expected = fill(servers, workloads, records, options);
            Report report = new Report(name(), records, Machine.here(servers.postgres()));
            Measurement measurement = new Measurement(servers, records, expected, directory);
            for (Workload workload : workloads) {
                warmUp(measurement, contenders, workload);
                for (int round = 1; round <= options.rounds(ROUNDS); round++) {
                    for (Contender contender : contenders) {
                        report.add(measurement.of(contender, workload, round));
                    }
                }
            }
            return report.finish(directory);
        }
    }

    /** Broker and database are as young as what they hold: whoever came first would be slower for it, in each first round. */
    private static void warmUp(Measurement measurement, List<Contender> contenders, Workload workload)
            throws IOException, InterruptedException {
        if (!contenders.isEmpty()) {
            measurement.of(contenders.get(0), workload, 0);
        }
    }

    private static List<Workload> workloads(Options options) {
        List<Workload> workloads = new ArrayList<>(Arrays.stream(Workload.values())
                .filter(each -> options.wantsWorkload(each.label()))
                .toList());
        if (options.flights().isEmpty() && workloads.remove(Workload.FLIGHTS)) {
            System.out.println("without the workload flights: --flights names no file of them");
        }
        return workloads;
    }

    /** The same data for all. */
    private static Map<Workload, Fingerprint> fill(
            Servers servers, List<Workload> workloads, int records, Options options) throws Exception {
        Map<Workload, Fingerprint> expected = new EnumMap<>(Workload.class);
        for (Input input : inputs(workloads, records, options)) {
            System.out.printf("topic %s: %,d records%n", input.topic(), input.records());
            servers.broker().fill(input);
            expected.putAll(Expectation.of(input, workloads, servers.postgres()));
        }
        return expected;
    }

    private static List<Input> inputs(List<Workload> workloads, int records, Options options) throws IOException {
        List<Input> inputs = new ArrayList<>();
        if (workloads.contains(Workload.ORDERS) || workloads.contains(Workload.TOTALS)) {
            inputs.add(Input.orders(records));
        }
        if (workloads.contains(Workload.FLIGHTS)) {
            inputs.add(Input.flights(options.flights().orElseThrow(), records));
        }
        return inputs;
    }
}
