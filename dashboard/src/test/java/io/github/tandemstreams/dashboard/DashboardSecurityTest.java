package io.github.tandemstreams.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.dashboard.DashboardApp.Browser;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Who may see what, and who may give commands, under both web frameworks. What counts is what Postgres has afterwards. */
class DashboardSecurityTest {

    private static final String PAUSE =
            "{\"stream\": \"orders\", \"action\": \"PAUSE\", \"dryRun\": false, \"reason\": \"a test\"}";

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void withoutSpringSecurityItIsReadOnly(WebApplicationType type) {
        try (DashboardApp app = DashboardApp.start(type, DashboardApp.Plain.class, DashboardApp.WITHOUT_SECURITY)) {
            assertThat(app.browser().get("/tandem/").statusCode()).isEqualTo(200);
            assertThat(json(app.browser().get("/tandem/api/session"))
                            .get("mayCommand")
                            .asBoolean())
                    .isFalse();

            HttpResponse<String> answer = app.browser().command(PAUSE);

            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).contains("read-only");
            assertThat(app.commands()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void anUnrestrictedOneObeysItsOwnPageAlone(WebApplicationType type) {
        try (DashboardApp app = unrestricted(type)) {
            String origin = app.uri("").toString();

            // What another site's page can have a browser send: forms, and scripts that weren't asked first.
            assertRefused(app, page(app).with("Content-Type", "text/plain"), 415);
            assertRefused(app, page(app).with("Content-Type", "application/x-www-form-urlencoded"), 415);
            assertRefused(app, page(app).without("Content-Type"), 415);
            assertRefused(app, page(app).without("X-Tandem-Dashboard"), 403);
            assertRefused(app, page(app).with("Sec-Fetch-Site", "cross-site"), 403);
            assertRefused(app, page(app).with("Sec-Fetch-Site", "same-site").with("Origin", origin), 403);
            assertRefused(app, page(app).with("Origin", "https://example.org"), 403);
            assertRefused(app, page(app).with("Origin", "http://127.0.0.1:1"), 403);
            assertRefused(app, page(app).with("Origin", "null"), 403);
            HttpResponse<String> preflight = app.browser()
                    .with("Origin", "https://example.org")
                    .with("Access-Control-Request-Method", "POST")
                    .with("Access-Control-Request-Headers", "x-tandem-dashboard,content-type")
                    .exchange("OPTIONS", "/tandem/api/commands", "");
            assertThat(preflight.headers().firstValue("Access-Control-Allow-Origin"))
                    .isEmpty();
            assertThat(app.commands()).isEmpty();

            HttpResponse<String> own = page(app)
                    .with("Origin", origin)
                    .with("Sec-Fetch-Site", "same-origin")
                    .exchange("POST", "/tandem/api/commands", PAUSE);

            assertThat(own.statusCode()).as(own.body()).isEqualTo(200);
            assertThat(app.commands()).containsExactly("pause by dashboard");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void thereIsOneDoorToCommands(WebApplicationType type) {
        try (DashboardApp app = unrestricted(type)) {
            for (String method : List.of("GET", "PUT", "PATCH", "DELETE")) {
                page(app).exchange(method, "/tandem/api/commands?stream=orders&action=PAUSE&dryRun=false", PAUSE);
            }
            for (String path : List.of(
                    "/tandem",
                    "/tandem/",
                    "/tandem/api",
                    "/tandem/api/",
                    "/tandem/api/commands/",
                    "/tandem/api/commands/1",
                    "/tandem/api/command",
                    "/tandem/api/stream",
                    "/tandem/api/orders/pause",
                    "/tandem/API/COMMANDS",
                    "/tandem//api/commands",
                    "/tandem/api%2Fcommands",
                    "/tandemx/api/commands",
                    "/api/commands",
                    "/tandem/api/commands;a=b",
                    "/tandem/api;a=b/commands",
                    // A proxy that guards what begins with /tandem/ lets these pass.
                    "/tandem;api/commands",
                    "/tandem;a=b/api/commands",
                    "/t%61ndem/api/commands")) {
                int status = page(app).exchange("POST", path, PAUSE).statusCode();
                assertThat(status).as(path).isBetween(300, 499);
                assertThat(app.commands()).as(path).isEmpty();
            }
            // This is the one door, written in another way: nothing more is allowed there than by its plain name.
            page(app).with("Content-Type", "text/plain").exchange("POST", "/tandem/x/../api/commands", PAUSE);
            assertThat(app.commands()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void withSpringSecurityOnlyItsRolesGiveCommandsAndTheTokenIsAsked(WebApplicationType type) {
        try (DashboardApp app =
                secured(type, "tandem.dashboard.access=when-authorized", "tandem.dashboard.roles=OPERATOR")) {
            // Nobody
            assertThat(app.browser().get("/tandem/").statusCode()).isEqualTo(401);
            assertThat(app.browser().get("/tandem/api/streams").statusCode()).isEqualTo(401);
            assertThat(app.browser().command(PAUSE).statusCode()).isIn(401, 403);

            // Somebody without the role
            Browser bob = app.browser("bob");
            JsonNode bobs = json(bob.get("/tandem/api/session"));
            assertThat(bobs.get("user").asString()).isEqualTo("bob");
            assertThat(bobs.get("mayCommand").asBoolean()).isFalse();
            assertThat(bob.get("/tandem/api/streams").statusCode()).isEqualTo(200);
            assertThat(bobs.get("csrf").isNull()).isTrue();
            HttpResponse<String> refused = withToken(bob).command(PAUSE);
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("none of the roles");

            // Somebody with it, but by way of another site, which can't read the token
            Browser anna = app.browser("anna");
            JsonNode session = json(anna.get("/tandem/api/session"));
            assertThat(session.get("mayCommand").asBoolean()).isTrue();
            assertThat(anna.command(PAUSE).statusCode()).isIn(401, 403);
            assertThat(app.commands()).isEmpty();

            HttpResponse<String> answer = anna.command(PAUSE, session.get("csrf"));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(app.commands()).containsExactly("pause by anna");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "spa"})
    void theTokenIsTakenByEachHandlerOfSpringSecurity(String handler) {
        try (DashboardApp app = secured(
                WebApplicationType.SERVLET,
                "tandem.dashboard.access=when-authorized",
                "tandem.dashboard.roles=OPERATOR",
                SecuredApp.TOKEN_HANDLER + "=" + handler)) {
            Browser anna = app.browser("anna");
            JsonNode session = json(anna.get("/tandem/api/session"));
            assertThat(anna.command(PAUSE).statusCode()).isIn(401, 403);
            assertThat(app.commands()).isEmpty();

            HttpResponse<String> answer = anna.command(PAUSE, session.get("csrf"));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(app.commands()).containsExactly("pause by anna");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void aTokenWithoutTheRoleIsNoRight(WebApplicationType type) {
        try (DashboardApp app = secured(type)) {
            // Read-only is the default with Spring Security, too.
            Browser anna = app.browser("anna");
            assertThat(json(anna.get("/tandem/api/session")).get("mayCommand").asBoolean())
                    .isFalse();
            HttpResponse<String> refused = withToken(anna).command(PAUSE);
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("read-only");
            assertThat(app.commands()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void payloadsAreSeenByWhoMay(WebApplicationType type) {
        try (DashboardApp app =
                secured(type, "tandem.dashboard.show-payloads=when-authorized", "tandem.dashboard.roles=OPERATOR")) {
            app.send(0, "bad <script>alert('a secret')</script>");
            DashboardApp.await().until(() -> app.number("select count(*) from tandem.dead_letter") == 1);
            String all = "/tandem/api/dead-letters?stream=orders";
            String one = "/tandem/api/dead-letter?stream=orders&id=" + app.number("select id from tandem.dead_letter");

            Browser bob = app.browser("bob");
            assertThat(bob.get(all).body()).contains("IllegalArgumentException").doesNotContain("secret");
            assertThat(bob.get(one).body()).contains("IllegalArgumentException").doesNotContain("secret");

            HttpResponse<String> letter = app.browser("anna").get(one);
            assertThat(letter.headers().firstValue("Content-Type")).hasValue("application/json");
            assertThat(letter.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
            assertThat(json(letter).get("value").get("text").asString())
                    .isEqualTo("bad <script>alert('a secret')</script>");
            assertThat(json(letter).get("message").asString()).contains("a secret");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void whyALaneFailedIsSeenByWhoMaySeePayloads(WebApplicationType type) {
        try (DashboardApp app =
                secured(type, "tandem.dashboard.show-payloads=when-authorized", "tandem.dashboard.roles=OPERATOR")) {
            DashboardApp.await()
                    .until(() -> app.number("select count(*) from tandem.lane where instance is not null") == 2);
            app.database.update(
                    "update tandem.lane set state = 'failed', failure = ? where lane = ?",
                    "failed, not-null: ERROR: null value. Detail: Failing row contains (4711, a secret)",
                    app.lane(0));

            Browser bob = app.browser("bob");
            Browser anna = app.browser("anna");
            for (String what : List.of("/tandem/api/streams", "/tandem/api/stream?stream=orders")) {
                assertThat(bob.get(what).body())
                        .contains(
                                "failed; its cause is in tandem.lane.failure, and in its log without what records hold")
                        .doesNotContain("secret")
                        .doesNotContain("not-null");
                assertThat(anna.get(what).body()).contains("(4711, a secret)").doesNotContain("its cause is in");
            }
            JsonNode lanes = json(bob.get("/tandem/api/stream?stream=orders")).get("lanes");
            assertThat(lanes.get(0).get("problem").isNull()).isFalse();
            assertThat(lanes.get(1).get("problem").isNull()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void everyAnswerForbidsScriptsOfOthersAndFrames(WebApplicationType type) {
        try (DashboardApp app = unrestricted(type)) {
            assertThat(app.browser().get("/tandem").headers().firstValue("Location"))
                    .hasValue("tandem/");
            for (String path : List.of("", "main.js", "uPlot.esm.js", "dashboard.css", "api/streams", "api/nothing")) {
                HttpResponse<String> answer = app.browser().get("/tandem/" + path);
                String policy =
                        answer.headers().firstValue("Content-Security-Policy").orElseThrow();
                assertThat(policy)
                        .as(path)
                        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                        .doesNotContain("unsafe");
                assertThat(answer.headers().firstValue("X-Content-Type-Options"))
                        .hasValue("nosniff");
                assertThat(answer.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
                assertThat(answer.headers().firstValue("Cache-Control")).isPresent();
            }
            assertThat(app.browser().get("/tandem/").headers().firstValue("Content-Type"))
                    .hasValue("text/html;charset=UTF-8");
            String tag = app.browser()
                    .get("/tandem/main.js")
                    .headers()
                    .firstValue("ETag")
                    .orElseThrow();
            assertThat(app.browser()
                            .with("If-None-Match", tag)
                            .get("/tandem/main.js")
                            .statusCode())
                    .isEqualTo(304);
        }
    }

    /** With the token that another page of the application has, which says nothing of rights. */
    private static Browser withToken(Browser browser) {
        return browser.with("X-CSRF-TOKEN", browser.get("/token").body());
    }

    private static Browser page(DashboardApp app) {
        return app.browser().with("Content-Type", "application/json").with("X-Tandem-Dashboard", "command");
    }

    private static void assertRefused(DashboardApp app, Browser sender, int status) {
        assertThat(sender.exchange("POST", "/tandem/api/commands", PAUSE).statusCode())
                .isEqualTo(status);
        assertThat(app.commands()).isEmpty();
    }

    private static DashboardApp unrestricted(WebApplicationType type) {
        return DashboardApp.start(
                type, DashboardApp.Plain.class, DashboardApp.WITHOUT_SECURITY, "tandem.dashboard.access=unrestricted");
    }

    private static DashboardApp secured(WebApplicationType type, String... properties) {
        return DashboardApp.start(
                type,
                type == WebApplicationType.SERVLET ? SecuredApp.OfServlets.class : SecuredApp.OfWebFlux.class,
                properties);
    }

    private static JsonNode json(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }
}
