package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.resource;

import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.autoconfigure.AheadOfTimeApplication.Audit;
import io.github.tandemstreams.autoconfigure.AheadOfTimeApplication.AuditHandler;
import io.github.tandemstreams.autoconfigure.AheadOfTimeApplication.Entry;
import io.github.tandemstreams.autoconfigure.AheadOfTimeApplication.Envelope;
import io.github.tandemstreams.autoconfigure.AheadOfTimeApplication.EnvelopeHandler;
import io.github.tandemstreams.autoconfigure.AheadOfTimeApplication.Line;
import io.github.tandemstreams.autoconfigure.AheadOfTimeApplication.Order;
import io.github.tandemstreams.autoconfigure.AheadOfTimeApplication.OrderHandler;
import io.github.tandemstreams.autoconfigure.AheadOfTimeApplication.Price;
import io.github.tandemstreams.autoconfigure.AheadOfTimeApplication.Receipt;
import io.github.tandemstreams.checkpoint.Search;
import io.github.tandemstreams.checkpoint.Verdict;
import io.github.tandemstreams.sink.Cause;
import io.github.tandemstreams.test.KafkaBroker;
import io.github.tandemstreams.test.PostgresServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.FileSystemGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplication.AbandonedRunException;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;
import org.springframework.orm.jpa.JpaTransactionManager;

/** An application is processed ahead of time, as for a native image. */
@Tag("J13")
class AheadOfTimeTest {

    private final KafkaBroker broker = KafkaBroker.shared();
    private final PGSimpleDataSource database = PostgresServer.newDatabase();
    private final String topic = broker.newTopic(1);
    private final App app = App.of(AheadOfTimeApplication.class)
            .withoutJpa()
            .on(database)
            .on(broker)
            .with("orders=orders", "tandem.streams.orders.topics=" + topic, "tandem.streams.audit.topics=" + topic);

    @TempDir
    private Path dir;

    @Test
    void itsHandlersRun() throws Exception {
        PostgresServer.execute(database, "create table orders (stream text, value text)");
        App.send(broker, topic, """
                {"sender": "ann", "payload": {"id": 1, "lines": [{"article": "tea", "prices": {"EUR": {"cents": 250}}}]}}
                """);
        processAheadOfTime();
        compile();

        Process process = run();
        try {
            // A JVM of its own takes its time to start.
            App.await()
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> !process.isAlive() || written().size() == 2);
            assertThat(written())
                    .as(log())
                    .containsExactly(
                            "audit Entry[sender=ann, payload=Receipt[id=1]]",
                            "orders Envelope[sender=ann, payload=Order[id=1, lines=[Line[article=tea, prices={EUR=Price[cents=250]}]]]]");
            process.getOutputStream().close();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(log()).contains("Starting AOT-processed AheadOfTimeApplication");
        assertThat(App.column(database, "select message from tandem.dead_letter"))
                .isEmpty();
    }

    @Test
    void aNativeImageIsToldOfHandlersAndTheirValues() {
        RuntimeHints hints = processAheadOfTime();

        assertThat(hints)
                .matches(reflection().onMethodInvocation(EnvelopeHandler.class, "handle"))
                .matches(reflection().onMethodInvocation(AuditHandler.class, "handle"))
                .matches(reflection().onMethodInvocation(Audit.class, "handle"))
                .matches(reflection().onType(OrderHandler.class));
        assertThat(List.of(Envelope.class, Order.class, Line.class, Price.class, Entry.class, Receipt.class))
                .allSatisfy(value -> assertReadAsJson(hints, value));
    }

    @Test
    void aNativeImageIsToldWhatTheCheckpointNeeds() {
        RuntimeHints hints = processAheadOfTime();

        assertThat(hints).matches(resource().forResource("db/tandem/V1__checkpoint.sql"));
        assertThat(List.of(Search.class, Verdict.class, Verdict.Guilty.class, Cause.class))
                .allSatisfy(stored -> assertReadAsJson(hints, stored));
        assertThat(hints)
                .matches(reflection().onType(HikariDataSource.class))
                .matches(reflection().onMethodInvocation(JpaTransactionManager.class, "getDataSource"))
                .matches(reflection().onType(StreamProperties.class));
    }

    private List<String> written() {
        return App.column(database, "select stream || ' ' || value from orders order by 1");
    }

    private static void assertReadAsJson(RuntimeHints hints, Class<?> type) {
        assertThat(hints).matches(reflection().onConstructorInvocation(type.getDeclaredConstructors()[0]));
        assertThat(type.getRecordComponents())
                .allSatisfy(component ->
                        assertThat(hints).matches(reflection().onMethodInvocation(component.getAccessor())));
    }

    /** As the build plugins do: the application is started, but its context isn't refreshed. */
    private RuntimeHints processAheadOfTime() {
        try (GenericApplicationContext context = prepare()) {
            DefaultGenerationContext generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get(AheadOfTimeApplication.class)),
                    new FileSystemGeneratedFiles(dir));
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            return generation.getRuntimeHints();
        }
    }

    private GenericApplicationContext prepare() {
        SpringApplicationRunListener abandon = new SpringApplicationRunListener() {
            @Override
            public void contextLoaded(ConfigurableApplicationContext context) {
                throw new AbandonedRunException(context);
            }
        };
        try {
            SpringApplication.withHook(application -> abandon, (Runnable) app::start);
            throw new AssertionError("It wasn't abandoned");
        } catch (AbandonedRunException abandoned) {
            return (GenericApplicationContext) abandoned.getApplicationContext();
        }
    }

    private void compile() throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("-d", folder("classes"), "-cp", classPath(), "-nowarn", "-proc:none"));
        try (Stream<Path> sources = Files.walk(dir.resolve("sources"))) {
            sources.map(Path::toString)
                    .filter(source -> source.endsWith(".java"))
                    .forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    private Process run() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dspring.aot.enabled=true",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                AheadOfTimeApplication.class.getName()));
        command.addAll(List.of(app.arguments()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("log").toFile())
                .start();
    }

    private String log() {
        try {
            return Files.readString(dir.resolve("log"));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private String classPath() {
        return String.join(
                File.pathSeparator, folder("classes"), folder("resources"), System.getProperty("java.class.path"));
    }

    private String folder(String name) {
        return dir.resolve(name).toString();
    }
}
