package io.github.tandemstreams.benchmarks.jmh;

import io.github.tandemstreams.benchmarks.Benchmark;
import io.github.tandemstreams.benchmarks.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** The hot paths by themselves, with JMH: time and bytes allocated. */
public final class Jmh implements Benchmark {

    private static final int FORKS = 3;
    private static final int SECONDS = 10;
    private static final int ITERATIONS = 5;
    private static final int WARM_UP_ITERATIONS = 8;

    @Override
    public String name() {
        return "jmh";
    }

    @Override
    public boolean run(Options options) throws Exception {
        Path directory = Files.createDirectories(options.directory());
        TimeValue iteration = TimeValue.milliseconds(options.seconds(SECONDS) * 1_000L / ITERATIONS);
        new Runner(new OptionsBuilder()
                        .include(Jmh.class.getPackageName() + "\\..*")
                        .forks(options.rounds(FORKS))
                        .warmupIterations(WARM_UP_ITERATIONS)
                        .warmupTime(iteration)
                        .measurementIterations(ITERATIONS)
                        .measurementTime(iteration)
                        .addProfiler(GCProfiler.class)
                        .resultFormat(ResultFormatType.JSON)
                        .result(directory.resolve("jmh.json").toString())
                        .shouldFailOnError(true)
                        .build())
                .run();
        return true;
    }
}
