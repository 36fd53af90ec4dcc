package io.github.tandemstreams.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.tandemstreams.dashboard.DashboardApp.Browser;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

/** What can't be answered now is told as such: it isn't the application's fault, and worth another try. */
class DashboardAwayTest {

    private static final String PAUSE =
            "{\"stream\": \"orders\", \"action\": \"PAUSE\", \"dryRun\": false, \"reason\": \"a test\"}";

    @Test
    void aCommandThatSomebodyHoldsUpIsWorthAnotherTry() throws SQLException {
        try (DashboardApp app = start()) {
            try (Connection other = app.database.getDataSource().getConnection();
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("select from tandem.stream for update");

                HttpResponse<String> answer = app.browser().command(PAUSE);

                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
                assertThat(answer.body()).contains("Somebody holds it", "Try again");
                other.rollback();
            }
            assertThat(app.commands()).isEmpty();
        }
    }

    @Test
    void withoutADatabaseItIsUnavailable() {
        try (DashboardApp app = start()) {
            app.context.getBean(HikariDataSource.class).close();
            Browser browser = app.browser();

            for (String what : List.of("streams", "stream?stream=orders", "dead-letters?stream=orders")) {
                HttpResponse<String> answer = browser.get("/tandem/api/" + what);
                assertThat(answer.statusCode()).as(what + ": " + answer.body()).isEqualTo(503);
                assertThat(answer.body()).contains("database can't be reached");
            }
            assertThat(browser.command(PAUSE).statusCode()).isEqualTo(503);
        }
    }

    private static DashboardApp start() {
        return DashboardApp.start(
                WebApplicationType.SERVLET,
                DashboardApp.Plain.class,
                DashboardApp.WITHOUT_SECURITY,
                "tandem.dashboard.access=unrestricted");
    }
}
