package io.github.tandemstreams.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;

/** In a real browser: the page sends Spring Security's token so that it is taken, in whichever way it is checked. */
class DashboardTokenPageTest {

    @ParameterizedTest
    @CsvSource({"SERVLET, default", "SERVLET, plain", "SERVLET, spa", "REACTIVE, default"})
    void whoIsSignedInGivesCommandsFromThePage(WebApplicationType type, String handler) {
        try (Chromium page = Chromium.start();
                DashboardApp app = DashboardApp.start(
                        type,
                        type == WebApplicationType.SERVLET ? SecuredApp.OfServlets.class : SecuredApp.OfWebFlux.class,
                        "tandem.dashboard.access=when-authorized",
                        "tandem.dashboard.roles=OPERATOR",
                        SecuredApp.TOKEN_HANDLER + "=" + handler)) {
            page.signIn("anna");
            page.open(app.uri("/tandem/#/streams/orders").toString());
            page.click(".toolbar [data-action=PAUSE]");
            page.click("dialog button[type=submit]");
            page.waitForText("dialog", "Nothing was done yet");
            page.click("dialog [data-confirm]");
            page.waitForText("dialog h2", "done");
            assertThat(app.commands()).containsExactly("pause by anna");
        }
    }
}
