package io.github.tandemstreams.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is below the page is so by its letters, as a proxy that guards the page reads them. */
class DashboardPathTest {

    @Test
    void whatIsBelowThePageIsFound() {
        assertThat(DashboardPath.below("/tandem", "/tandem")).isNull();
        assertThat(DashboardPath.below("/tandem", "/tandem/")).isEmpty();
        assertThat(DashboardPath.below("/tandem", "/tandem/api/commands")).isEqualTo("api/commands");
        assertThat(DashboardPath.below("/ops/tandem", "/ops/tandem/main.js")).isEqualTo("main.js");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/tandem;api/commands",
                "/tandem;a=b",
                "/tandem;",
                "/tandem;a=b/api/commands",
                "/tandem/api/commands;a=b",
                "/tandem/api;a=b/commands",
                "/tandem/;",
                "/t%61ndem/api/commands",
                "/tandemx/api/commands",
                "/api/commands",
                "/",
                ""
            })
    void whatIsWrittenInAnotherWayIsNot(String path) {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> DashboardPath.below("/tandem", path))
                .satisfies(refused -> assertThat(refused.status()).isEqualTo(404));
    }
}
