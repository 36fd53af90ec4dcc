package io.github.tandemstreams.benchmarks.growth;

import io.github.tandemstreams.benchmarks.Benchmark;
import io.github.tandemstreams.benchmarks.Options;
import io.github.tandemstreams.benchmarks.contenders.Contender;
import io.github.tandemstreams.benchmarks.contenders.Contenders;
import io.github.tandemstreams.benchmarks.report.Figures;
import io.github.tandemstreams.benchmarks.report.JsonFile;
import io.github.tandemstreams.benchmarks.report.Machine;
import io.github.tandemstreams.benchmarks.report.Run;
import io.github.tandemstreams.benchmarks.servers.Broker;
import io.github.tandemstreams.benchmarks.servers.Database;
import io.github.tandemstreams.benchmarks.servers.Servers;
import io.github.tandemstreams.benchmarks.throughput.Expectation;
import io.github.tandemstreams.benchmarks.throughput.Measurement;
import io.github.tandemstreams.benchmarks.workloads.Input;
import io.github.tandemstreams.benchmarks.workloads.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The throughput of Tandem with empty logs, and after a million commits of the same lanes. Both begin at the same offsets: the
 * records before those are what the million was about.
 */
public final class Growth implements Benchmark {

    /** A database to begin with. */
    private record Logs(String name, Database database) {}

    private static final int COMMITS = 1_000_000;
    private static final int RECORDS = 1_000_000;
    private static final int ROUNDS = 3;

    /** With the bulk writer the handler does least, so that most of the time is the engine's. */
    private static final Set<String> CONTENDERS = Set.of(Contenders.TANDEM, Contenders.TANDEM_BULK);

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public boolean run(Options options) throws Exception {
        List<Contender> contenders =
                Contenders.built(each -> CONTENDERS.contains(each) && options.wantsContender(each));
        Path directory = Files.createDirectories(options.directory());
        int perLane = options.commits(COMMITS) / Broker.PARTITIONS;
        int before = perLane * Broker.PARTITIONS;
        int records = options.records(RECORDS);
        Input all = Input.orders((long) before + records);
        Input measured = new Input(all.topic(), records, i -> all.lines().apply(before + i));
        try (Servers servers = Servers.start(directory);
                Database empty = servers.postgres().newDatabase();
                Database grown = servers.postgres().newDatabase()) {
            Figures figures = new Figures(name(), Machine.here(servers.postgres()), List.of("records/s"));
            History.begin(empty, perLane);
            grow(grown, perLane, directory);
            servers.broker().fill(all);
            Measurement measurement = new Measurement(
                    servers,
                    records,
                    Expectation.of(measured, List.of(Workload.ORDERS), servers.postgres()),
                    directory);
            for (int round = 1; round <= options.rounds(ROUNDS); round++) {
                for (Contender contender : contenders) {
                    for (Logs logs : inTurn(round, new Logs("empty", empty), new Logs("grown", grown))) {
                        add(measurement, contender, logs, round, servers, figures);
                    }
                }
            }
            return figures.finish(directory);
        }
    }

    private static void grow(Database database, int perLane, Path directory) throws Exception {
        History history = History.begin(database, 0);
        List<TableSize> atFirst = TableSize.all(database.jdbc());
        List<Pace> paces = history.commit(perLane);
        List<TableSize> inTheEnd = TableSize.all(database.jdbc());
        System.out.println("tables before");
        atFirst.forEach(System.out::println);
        System.out.printf("after %,d commits%n", (long) perLane * Broker.PARTITIONS);
        inTheEnd.forEach(System.out::println);
        paces.forEach(System.out::println);
        JsonFile.write(
                directory.resolve("growth-tables.json"),
                Map.of("before", atFirst, "after", inTheEnd, "commitsPerSecond", paces));
    }

    /** Each is first in every other round: whatever the first run leaves for the server to do meets both. */
    private static List<Logs> inTurn(int round, Logs one, Logs other) {
        return round % 2 == 1 ? List.of(one, other) : List.of(other, one);
    }

    /** In a copy of the database, page by page: each run finds what the first one found. */
    private static void add(
            Measurement measurement, Contender contender, Logs logs, int round, Servers servers, Figures figures)
            throws Exception {
        try (Database copy = servers.postgres().copyOf(logs.database())) {
            String name = "growth-" + logs.name() + "-" + contender.name() + "-" + round;
            Run run = measurement.in(copy, contender, Workload.ORDERS, round, name);
            String label = contender.name() + ", " + logs.name();
            figures.add(label, round, run);
        }
    }
}
