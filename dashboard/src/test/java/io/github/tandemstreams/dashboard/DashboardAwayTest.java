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
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What can't be answered now is told as such: it isn't the application's fault, and worth another try. */
@ExtendWith(OutputCaptureExtension.class)
class DashboardAwayTest {

    private static final String NO_ANSWER =
            "The dashboard can't answer /tandem/api/dead-letters: an error of the database";

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
                assertThat(answer.body()).contains("Somebody holds a lock", "try again");
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

    @Test
    void anErrorThatWontPassByItselfIsLoggedOnceUntilItIsOver(CapturedOutput log) {
        try (DashboardApp app = start()) {
            Browser browser = app.browser();
            app.database.execute("alter table tandem.dead_letter rename to elsewhere");
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = browser.get("/tandem/api/dead-letters?stream=orders");
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
                assertThat(answer.body())
                        .contains("An error of the database; its text is in the log.")
                        .doesNotContain("dead_letter");
            }
            assertThat(linesOf(log)).singleElement().asString().contains(" WARN ");
            assertThat(log).contains("\"tandem.dead_letter\" does not exist");

            app.database.execute("alter table tandem.elsewhere rename to dead_letter");
            assertThat(browser.get("/tandem/api/dead-letters?stream=orders").statusCode())
                    .isEqualTo(200);
            app.database.execute("alter table tandem.dead_letter rename to elsewhere");
            browser.get("/tandem/api/dead-letters?stream=orders");
            assertThat(linesOf(log)).hasSize(2);
        }
    }

    private static List<String> linesOf(CapturedOutput log) {
        return log.getAll().lines().filter(line -> line.contains(NO_ANSWER)).toList();
    }

    private static DashboardApp start() {
        return DashboardApp.start(
                WebApplicationType.SERVLET,
                DashboardApp.Plain.class,
                DashboardApp.WITHOUT_SECURITY,
                "tandem.dashboard.access=unrestricted");
    }
}
