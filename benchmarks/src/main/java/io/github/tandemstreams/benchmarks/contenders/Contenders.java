package io.github.tandemstreams.benchmarks.contenders;

import io.github.tandemstreams.benchmarks.contenders.copyloop.CopyLoop;
import io.github.tandemstreams.benchmarks.contenders.springkafka.SpringKafkaApplication;
import io.github.tandemstreams.benchmarks.contenders.tandem.TandemApplication;
import io.github.tandemstreams.benchmarks.onlookers.Onlooker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All contenders there are here, in the order of the report. */
public final class Contenders {

    public static final String COPY_LOOP_1 = "copy-loop-1";
    public static final String COPY_LOOP_2 = "copy-loop-2";
    public static final String SPRING_KAFKA = "spring-kafka";
    public static final String SPRING_KAFKA_TUNED = "spring-kafka-tuned";
    public static final String PEKKO = "pekko-projection";
    public static final String SPARK = "spark";
    public static final String TANDEM = "tandem";
    public static final String TANDEM_TUNED = "tandem-tuned";

    /** For latency: where there is always work to do, as in the throughput, it is the same as the tuned one. */
    public static final String TANDEM_EFFECTS_DATABASE = "tandem-effects-database";

    /** Tandem with its bulk writer. */
    public static final String TANDEM_BULK = "tandem-bulk";

    /** The same with a web server, metrics, and a dashboard that somebody has open. */
    public static final String TANDEM_WATCHED = "tandem-watched";

    /** That application without its metrics and without the dashboard: beside it, the other shows what being watched costs. */
    public static final String TANDEM_UNWATCHED = "tandem-unwatched";

    private Contenders() {}

    /**
     * Those whose module was built. The ones with many dependencies are modules of their own, with class paths of their own.
     *
     * @param wanted which of them, by their names
     */
    public static List<Contender> built(Predicate<String> wanted) throws IOException {
        return built().stream().filter(each -> wanted.test(each.name())).toList();
    }

    private static List<Contender> built() throws IOException {
        List<Contender> contenders = new ArrayList<>(List.of(
                here(COPY_LOOP_1, CopyLoop.class, "1"),
                here(COPY_LOOP_2, CopyLoop.class, "2"),
                here(SPRING_KAFKA, SpringKafkaApplication.class, SPRING_KAFKA),
                here(SPRING_KAFKA_TUNED, SpringKafkaApplication.class, SPRING_KAFKA_TUNED),
                here(TANDEM, TandemApplication.class, TANDEM),
                here(TANDEM_TUNED, TandemApplication.class, TANDEM_TUNED),
                here(TANDEM_BULK, TandemApplication.class, TANDEM_BULK),
                here(TANDEM_EFFECTS_DATABASE, TandemApplication.class, TANDEM_EFFECTS_DATABASE)));
        foreign(TANDEM_WATCHED, TandemApplication.class.getName(), List.of(), TANDEM_WATCHED)
                .map(each -> each.watchedBy(ONLOOKERS))
                .ifPresent(contenders::add);
        foreign(TANDEM_WATCHED, TandemApplication.class.getName(), List.of(), TANDEM_UNWATCHED)
                .map(each -> each.named(TANDEM_UNWATCHED))
                .ifPresent(contenders::add);
        foreign(PEKKO, "io.github.tandemstreams.benchmarks.pekko.PekkoProjection", List.of())
                .ifPresent(contenders::add);
        foreign(SPARK, "io.github.tandemstreams.benchmarks.spark.SparkForeachBatch", SPARK_OPTIONS)
                .ifPresent(contenders::add);
        return contenders;
    }

    private static Contender here(String name, Class<?> main, String argument) {
        return new Contender(
                name, System.getProperty("java.class.path"), List.of(), main.getName(), List.of(argument), List.of());
    }

    /** It has the name of its module; where what was built of that lies, {@code run} says. */
    private static Optional<Contender> foreign(String name, String mainClass, List<String> options, String... arguments)
            throws IOException {
        Path classpath = Path.of(System.getProperty("benchmarks.home", "."), name + ".classpath");
        if (!Files.exists(classpath)) {
            return Optional.empty();
        }
        return Optional.of(new Contender(
                name, Files.readString(classpath).strip(), options, mainClass, List.of(arguments), List.of()));
    }

    /**
     * What the page of a stream asks, and Prometheus. By the first time the contender is busy: what only the first questions
     * cost is in the measured time, too.
     */
    private static final List<Onlooker> ONLOOKERS = List.of(
            new Onlooker(
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(2),
                    List.of("/tandem/api/stream?stream={stream}", "/tandem/api/batches?stream={stream}&limit=50")),
            new Onlooker(Duration.ofSeconds(1), Duration.ofSeconds(5), List.of("/actuator/prometheus")));

    /** What Spark's own launcher opens for it on this and later JDKs. */
    private static final List<String> SPARK_OPTIONS = Stream.of(
                    "java.lang",
                    "java.lang.invoke",
                    "java.lang.reflect",
                    "java.io",
                    "java.net",
                    "java.nio",
                    "java.util",
                    "java.util.concurrent",
                    "java.util.concurrent.atomic",
                    "sun.nio.ch",
                    "sun.nio.cs",
                    "sun.security.action",
                    "sun.util.calendar")
            .map(each -> "--add-opens=java.base/" + each + "=ALL-UNNAMED")
            .toList();
}
