package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.engine.BatchTracer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** When batches are observed, and that observers can't harm them. */
class ObservationsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(TandemAutoConfiguration.class, TandemObservationAutoConfiguration.class))
            .withBean(StreamOperations.class, GivenStreams::new);

    @Test
    void batchesAreObservedWhereThereIsARegistryAndLinkedWhereThereIsATracer() {
        runner.run(context -> assertThat(context).doesNotHaveBean(BatchTracer.class));
        ApplicationContextRunner observed = runner.withBean(ObservationRegistry.class, ObservationRegistry::create);
        observed.run(
                context -> assertThat(context).hasSingleBean(BatchTracer.class).doesNotHaveBean(ProducerLinks.class));
        observed.withBean(SimpleTracer.class)
                .run(context ->
                        assertThat(context).hasSingleBean(BatchTracer.class).hasSingleBean(ProducerLinks.class));
        observed.withClassLoader(new FilteredClassLoader(Tracer.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(BatchTracer.class)
                        .doesNotHaveBean("tandemProducerLinks"));
        runner.withClassLoader(new FilteredClassLoader(ObservationRegistry.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("tandemBatchObservations"));
    }

    @Test
    void aRegistryWithoutHandlersCostsNothing() {
        assertThat(new BatchObservations(ObservationRegistry.NOOP, context -> null)
                        .begin("orders", "orders-0", 1, List.of()))
                .isSameAs(BatchTracer.Trace.NONE);
    }

    @Test
    void anObserverThatThrowsChangesNothing() {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new Broken());
        BatchTracer.Trace trace = new BatchObservations(registry, context -> {
                    throw new IllegalStateException("no id");
                })
                .begin("orders", "orders-0", 1, List.of());
        assertThat(trace.id()).isNull();
        trace.handler().end(new IllegalArgumentException());
        trace.commit().end(null);
        trace.end(null);
    }

    @Test
    void anObserverWhoseScopesFailLeavesNothingOpen() {
        ObservationRegistry registry = ObservationRegistry.create();
        List<String> stopped = new ArrayList<>();
        registry.observationConfig().observationHandler(new BrokenScopes(stopped));
        BatchTracer.Trace trace =
                new BatchObservations(registry, context -> null).begin("orders", "orders-0", 1, List.of());
        BatchTracer.Step handler = trace.handler();
        assertThat(registry.getCurrentObservationScope()).isNull();
        handler.end(null);
        BatchTracer.Step commit = trace.commit();
        assertThat(registry.getCurrentObservationScope()).isNotNull();
        commit.end(null);
        assertThat(registry.getCurrentObservationScope()).isNull();
        trace.end(null);
        assertThat(stopped).containsExactly("tandem.handler", "tandem.commit", "tandem.batch");
    }

    @Test
    void anErrorOfTheVirtualMachineIsNotHidden() {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(context -> true);
        BatchTracer.Trace trace = new BatchObservations(registry, context -> {
                    throw new StackOverflowError();
                })
                .begin("orders", "orders-0", 1, List.of());
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(trace::id);
    }

    /** The scope of the handler doesn't open, that of the commit doesn't close. */
    private record BrokenScopes(List<String> stopped) implements ObservationHandler<Observation.Context> {

        @Override
        public void onScopeOpened(Observation.Context context) {
            if (context.getName().equals("tandem.handler")) {
                throw new NoClassDefFoundError("broken");
            }
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            throw new NoClassDefFoundError("broken");
        }

        @Override
        public void onStop(Observation.Context context) {
            stopped.add(context.getName());
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    private static final class Broken implements ObservationHandler<Observation.Context> {

        @Override
        public void onStart(Observation.Context context) {
            if (!context.getName().equals("tandem.batch")) {
                throw new IllegalStateException("broken");
            }
        }

        @Override
        public void onStop(Observation.Context context) {
            throw new IllegalStateException("broken");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }
}
