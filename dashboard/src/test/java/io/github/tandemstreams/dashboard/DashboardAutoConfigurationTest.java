package io.github.tandemstreams.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;

/** Where the dashboard is served, and where it isn't. */
class DashboardAutoConfigurationTest {

    @Test
    void itIsServedBelowItsPathAndTheContextPath() {
        try (DashboardApp app = DashboardApp.start(
                WebApplicationType.SERVLET,
                DashboardApp.Plain.class,
                DashboardApp.WITHOUT_SECURITY,
                "server.servlet.context-path=/shop",
                "tandem.dashboard.path=/ops/streams/")) {
            assertThat(app.browser().get("/shop/ops/streams").headers().firstValue("Location"))
                    .hasValue("streams/");
            assertThat(app.browser().get("/shop/ops/streams/").body()).contains("main.js");
            assertThat(app.browser().get("/shop/ops/streams/api/streams").body())
                    .contains("orders");
            assertThat(app.browser().get("/shop/tandem/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void itIsServedBelowTheBasePathOfWebFlux() {
        try (DashboardApp app = DashboardApp.start(
                WebApplicationType.REACTIVE,
                DashboardApp.Plain.class,
                DashboardApp.WITHOUT_SECURITY,
                "spring.webflux.base-path=/shop")) {
            assertThat(app.browser().get("/shop/tandem/").body()).contains("main.js");
            assertThat(app.browser()
                            .get("/shop/tandem/api/stream?stream=orders")
                            .body())
                    .contains("orders");
            assertThat(app.browser().get("/shop/tandem/api/stream?stream=other").statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void itCanBeSwitchedOffAndIsNotThereWhereNothingIsServed() {
        try (DashboardApp app = DashboardApp.start(
                WebApplicationType.SERVLET,
                DashboardApp.Plain.class,
                DashboardApp.WITHOUT_SECURITY,
                "tandem.dashboard.enabled=false")) {
            assertThat(app.browser().get("/tandem/").statusCode()).isEqualTo(404);
            assertThat(app.context.getBeanNamesForType(Sampler.class)).isEmpty();
        }
        try (DashboardApp app =
                DashboardApp.start(WebApplicationType.NONE, DashboardApp.Plain.class, DashboardApp.WITHOUT_SECURITY)) {
            assertThat(app.context.getBeanNamesForType(Sampler.class)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "tandem", "/tandem/**", "/tan dem", "//tandem", "/{path}", "/tandem?"})
    void aPathThatCouldMeanSomethingElseIsRefused(String path) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new DashboardProperties(
                        true, path, DashboardProperties.Access.READ_ONLY, DashboardProperties.Show.NEVER, Set.of()))
                .withMessageContaining("tandem.dashboard.path");
    }
}
