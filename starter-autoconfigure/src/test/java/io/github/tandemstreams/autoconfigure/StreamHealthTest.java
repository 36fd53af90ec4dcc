package io.github.tandemstreams.autoconfigure;

import static io.github.tandemstreams.LaneStatus.Backlog.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.LaneState;
import io.github.tandemstreams.LaneStatus;
import io.github.tandemstreams.LaneStatus.Backlog;
import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamOperations;
import io.github.tandemstreams.StreamStatus;
import io.github.tandemstreams.StreamStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The health of a stream, and which groups it is in. */
class StreamHealthTest {

    private final GivenStreams streams = new GivenStreams();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TandemAutoConfiguration.class,
                    TandemHealthAutoConfiguration.class,
                    HealthContributorRegistryAutoConfiguration.class,
                    HealthEndpointAutoConfiguration.class,
                    AvailabilityProbesAutoConfiguration.class,
                    AvailabilityHealthContributorAutoConfiguration.class))
            .withBean(ApplicationAvailabilityBean.class)
            .withBean(StreamOperations.class, () -> streams);

    @Test
    void aStreamThatRunsIsUp() {
        Health health = health(State.RUNNING, null, lane(LaneState.ACTIVE, null));

        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails())
                .isEqualTo(Map.of(
                        "state",
                        State.RUNNING,
                        "lanes",
                        Map.of(
                                "orders-0",
                                Map.of(
                                        "state",
                                        LaneState.ACTIVE,
                                        "claimed",
                                        true,
                                        "epoch",
                                        3L,
                                        "lastBatch",
                                        41L,
                                        "position",
                                        Map.of("orders-0", 1200L),
                                        "lag",
                                        5L))));
    }

    @Test
    void aFailedLaneIsDownAndSaysWhereItsCauseStands() {
        Health health = health(
                State.RUNNING,
                null,
                lane(LaneState.ACTIVE, null),
                lane(LaneState.FAILED, "Failing row contains (s3cret)"));

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().toString())
                .contains("state=FAILED", "problem=failed; its cause is in tandem.lane_position")
                .doesNotContain("s3cret");
    }

    @Test
    void whatWasStoppedOrPausedOnPurposeIsUp() {
        assertThat(health(State.STOPPED, null).getStatus()).isEqualTo(Status.UP);
        Health everywhere = health(State.STOPPED, "an operator stopped it everywhere");
        assertThat(everywhere.getStatus()).isEqualTo(Status.UP);
        assertThat(everywhere.getDetails()).containsEntry("problem", "an operator stopped it everywhere");
        assertThat(health(State.RUNNING, null, lane(LaneState.PAUSED, null)).getStatus())
                .isEqualTo(Status.UP);
    }

    @Test
    void whatPassesByItselfIsUnknownAndSaysWhatItIs() {
        Health retried = health(State.RUNNING, null, lane(LaneState.ACTIVE, "the database is away"));
        assertThat(retried.getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(retried.getDetails().toString()).contains("problem=the database is away");

        Health waiting = health(State.STARTING, "no broker");
        assertThat(waiting.getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(waiting.getDetails()).containsEntry("problem", "no broker");
    }

    @Test
    void aLaneThatHasRecordsAndDoesNothingForTooLongIsDown() {
        Duration minutes = Duration.ofMinutes(5);
        Health stalled = health(State.RUNNING, null, waiting(LaneState.ACTIVE, minutes, null));
        assertThat(stalled.getStatus()).isEqualTo(Status.DOWN);
        assertThat(stalled.getDetails().toString()).contains("stalledSince=");

        assertThat(health(State.RUNNING, null, waiting(LaneState.ACTIVE, minutes.minusSeconds(10), null))
                        .getStatus())
                .isEqualTo(Status.UP);
        assertThat(health(State.RUNNING, null, waiting(LaneState.ACTIVE, minutes, "the database is away"))
                        .getStatus())
                .isEqualTo(Status.DOWN);
        assertThat(health(State.RUNNING, null, waiting(LaneState.PAUSED, minutes, null))
                        .getStatus())
                .isEqualTo(Status.UP);
    }

    @Test
    void aStreamThatCannotStartOrReadForTooLongIsDown() {
        Instant longAgo = Instant.now().minus(Duration.ofMinutes(5));
        for (State state : List.of(State.STARTING, State.RUNNING)) {
            Health stalled = health(state, "Kafka refuses the login", longAgo);
            assertThat(stalled.getStatus()).as("%s", state).isEqualTo(Status.DOWN);
            assertThat(stalled.getDetails())
                    .containsEntry("problem", "Kafka refuses the login")
                    .containsEntry("stalledSince", longAgo);

            Health waiting = health(state, "Kafka refuses the login", longAgo.plusSeconds(10));
            assertThat(waiting.getStatus()).as("%s", state).isEqualTo(Status.UNKNOWN);
            assertThat(waiting.getDetails()).doesNotContainKey("stalledSince");
        }
        assertThat(health(State.RUNNING, "Kafka refuses the login", longAgo, lane(LaneState.ACTIVE, null))
                        .getStatus())
                .isEqualTo(Status.DOWN);
        assertThat(health(State.STOPPED, "an operator stopped it everywhere", longAgo)
                        .getStatus())
                .isEqualTo(Status.UP);
    }

    @Test
    void aFailedLaneTurnsHealthDownButNeitherReadinessNorLiveness() {
        given(State.RUNNING, null, null, lane(LaneState.FAILED, "poison"));
        runner.withPropertyValues(
                        "management.endpoint.health.probes.enabled=true",
                        "management.endpoint.health.show-details=always",
                        // A group may name a stream; which there are isn't known before all singletons exist.
                        "management.endpoint.health.group.flow.include=tandem/orders")
                .run(context -> {
                    AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
                    AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
                    HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
                    assertThat(status(endpoint)).isEqualTo(Status.DOWN);
                    assertThat(status(endpoint, "tandem", "orders")).isEqualTo(Status.DOWN);
                    assertThat(status(endpoint, "flow")).isEqualTo(Status.DOWN);
                    assertThat(status(endpoint, "liveness")).isEqualTo(Status.UP);
                    assertThat(status(endpoint, "readiness")).isEqualTo(Status.UP);
                });
    }

    @Test
    void itCanBeSwitchedOffAndIsNotThereWithoutActuator() {
        runner.withPropertyValues("management.health.tandem.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("tandemHealthContributor"));
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(TandemAutoConfiguration.class, TandemHealthAutoConfiguration.class))
                .withBean(StreamOperations.class, () -> streams)
                .withClassLoader(new FilteredClassLoader(HealthContributor.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("tandemHealthContributor"));
    }

    private static Status status(HealthEndpoint endpoint, String... path) {
        HealthDescriptor health = endpoint.healthForPath(path);
        return health.getStatus();
    }

    private Health health(State state, @Nullable String problem, LaneStatus... lanes) {
        return health(state, problem, problem == null ? null : Instant.now(), lanes);
    }

    private Health health(State state, @Nullable String problem, @Nullable Instant since, LaneStatus... lanes) {
        given(state, problem, since, lanes);
        return new StreamHealthIndicator(streams, "orders", Duration.ofMinutes(5)).health();
    }

    private void given(State state, @Nullable String problem, @Nullable Instant since, LaneStatus... lanes) {
        streams.statuses.put("orders", new StreamStatus("orders", state, List.of(lanes), problem, since));
    }

    private static LaneStatus lane(LaneState state, @Nullable String problem) {
        return new LaneStatus(
                "orders-0", state, true, 3, 41, Offsets.of("orders-0", 1200), OptionalLong.of(5), 0, problem, NONE);
    }

    private static LaneStatus waiting(LaneState state, Duration since, @Nullable String problem) {
        Backlog backlog = new Backlog(5, 500, null, Instant.now().minus(since));
        return new LaneStatus(
                "orders-0", state, true, 3, 41, Offsets.of("orders-0", 1200), OptionalLong.of(5), 0, problem, backlog);
    }
}
