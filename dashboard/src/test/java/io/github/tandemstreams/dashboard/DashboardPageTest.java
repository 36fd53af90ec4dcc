package io.github.tandemstreams.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.tandemstreams.DeadLetters;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.springframework.boot.WebApplicationType;

/** The page in a real browser, as an operator uses it. What counts is what Postgres has afterwards. */
class DashboardPageTest {

    private static final String SCRIPT = "<script>window.hit = 1</script><img src=x onerror='window.hit = 1'>";

    private static final By MORE = By.xpath("//button[text()='More dead letters']");

    private static Chromium page;
    private static DashboardApp app;

    @BeforeAll
    static void start() {
        page = Chromium.start();
        app = DashboardApp.start(
                WebApplicationType.SERVLET,
                DashboardApp.Plain.class,
                DashboardApp.WITHOUT_SECURITY,
                "tandem.dashboard.access=unrestricted",
                "tandem.dashboard.show-payloads=always");
        app.send(0, values(0, 200));
        app.send(1, values(200, 400));
        DashboardApp.await().until(() -> app.orders() == 400);
    }

    @AfterAll
    static void stop() {
        if (page != null) {
            page.close();
        }
        if (app != null) {
            app.close();
        }
    }

    @BeforeEach
    void beginAtTheStart() {
        page.desktop();
        page.prefer("light");
        page.open("about:blank");
        page.open(app.uri("/tandem").toString());
        page.errors();
    }

    @AfterEach
    void theConsoleIsClean() {
        assertThat(page.errors()).isEmpty();
    }

    @Test
    void everyPartOfTheStreamIsAClickAway() {
        page.waitForText(".stream h2", "orders");
        page.waitForText(".stream .state", "running");
        page.click(By.linkText("orders"));
        page.waitForText("h1", "orders");
        page.waitForText(".figures", "Process rate");
        page.find(".plot canvas");

        page.click(By.linkText("Lanes"));
        page.waitForText("tbody", app.lane(0));
        page.waitForText("tbody", app.lane(1));
        assertThat(page.script("return document.activeElement.tagName")).isEqualTo("H1");

        page.click(By.linkText("Batches"));
        page.waitForText("tbody", "committed");
        page.set("#record-partition", app.lane(1));
        page.type("#record-offset", "7");
        page.click(By.xpath("//button[text()='Find']"));
        page.waitForText(".found", "of lane " + app.lane(1) + ", offsets ");
        page.type("#record-offset", "7000000");
        page.click(By.xpath("//button[text()='Find']"));
        page.waitForText(".found", "The logs of lane " + app.lane(1) + " begin with batch 0, at offset 0.");
        page.errors(); // the browser notes the answer 404

        page.click(By.partialLinkText("Dead letters"));
        page.waitForText(".room", "No dead letter waits.");
        page.click(By.linkText("Commands"));
        page.find(".room > div");
        page.click(By.linkText("Streams"));
        page.waitForText("h1", "Streams");
    }

    @Test
    void itIsLiveWithoutBeingLoadedAgain() {
        open("batches");
        page.waitForText("tbody", "committed");
        page.script("window.stillTheSame = true");
        int before = position(0);

        app.send(0, "one more");

        page.waitForText("tbody", String.format(Locale.ENGLISH, "%,d – %,d", before, before + 1));
        assertThat(page.script("return window.stillTheSame")).isEqualTo(true);
    }

    @Test
    void lanesArePausedAndResumed() {
        open("");
        give("PAUSE", "Pause now");
        assertThat(states()).containsOnly("paused");
        page.waitForText(".head .state", "paused");

        give("RESUME", "Resume now");
        assertThat(states()).containsOnly("active");
        page.waitForText(".head .state", "running");

        int before = app.orders();
        app.send(1, "after the pause");
        DashboardApp.await().until(() -> app.orders() == before + 1);
    }

    @Test
    void oneLaneIsStoppedAndStarted() {
        open("lanes");
        page.click("button[aria-label='Command to " + app.lane(1) + "']");
        page.set("#command-action", "STOP");
        confirm("Stop now");
        assertThat(states()).containsExactly("active", "stopped");

        page.waitForText("tbody", "stopped");
        page.waitForText(".head .state", "1 of 2 lanes stopped");
        page.click("button[aria-label='Command to " + app.lane(1) + "']");
        confirm("Start now");
        assertThat(states()).containsOnly("active");
    }

    @Test
    void theStreamIsStoppedAndStarted() {
        open("");
        give("STOP", "Stop now");
        assertThat(app.number("select count(*) from tandem.stream where stopped"))
                .isEqualTo(1);
        page.waitForText(".head .state", "stopped");

        give("START", "Start now");
        assertThat(app.number("select count(*) from tandem.stream where stopped"))
                .isZero();
        int before = app.orders();
        app.send(0, "after the stop");
        DashboardApp.await().until(() -> app.orders() == before + 1);
    }

    @Test
    void aLaneIsRewoundToABatch() {
        open("lanes");
        int before = copies(0, 5);
        page.click("button[aria-label='Command to " + app.lane(0) + "']");
        page.set("#command-action", "REWIND");
        page.click("#rewind-kind-batch");
        page.type("#rewind-batch", "0");
        page.type("#command-reason", "prices were wrong");
        page.click("dialog button[type=submit]");
        page.waitForText("dialog", "It would concern 1 lane");
        assertThat(copies(0, 5)).isEqualTo(before);
        page.picture("dashboard-rewind-light");

        page.click("dialog [data-confirm]");
        page.waitForText("dialog h2", "done");
        page.click("dialog [data-close]");

        DashboardApp.await().until(() -> copies(0, 5) == before + 1);
        assertThat(app.database.queryForList(
                        "select reason from tandem.operator_command where action = 'rewind' and jsonb_exists(target, 'batch') and not dry_run",
                        String.class))
                .containsExactly("prices were wrong");
    }

    @Test
    void theStreamIsRewoundToATime() {
        open("");
        int first = copies(0, 5);
        int second = copies(1, 5);
        page.click(".toolbar [data-action=REWIND]");
        page.click("#rewind-kind-timestamp");
        // By default an hour ago: all that these tests have written.
        confirm("Rewind now");
        DashboardApp.await().until(() -> copies(0, 5) == first + 1 && copies(1, 5) == second + 1);
    }

    @Test
    void aLaneIsRewoundToOffsets() {
        open("lanes");
        int before = copies(1, 5);
        int untouched = copies(1, 4);
        page.click("button[aria-label='Command to " + app.lane(1) + "']");
        page.set("#command-action", "REWIND");
        page.click("#rewind-kind-offsets");
        page.type("dialog fieldset input[type=number]", "5");
        confirm("Rewind now");
        DashboardApp.await().until(() -> copies(1, 5) == before + 1);
        assertThat(copies(1, 4)).isEqualTo(untouched);
    }

    @Test
    void aLaneSkipsWhatComesNext() {
        open("lanes");
        give("PAUSE", "Pause now");
        int position = position(0);
        int before = app.orders();
        app.send(0, "left out", "left out", "not left out");
        page.click("button[aria-label='Command to " + app.lane(0) + "']");
        page.set("#command-action", "SKIP");
        page.type("dialog fieldset input[type=number]", String.valueOf(position + 2));
        page.type("#command-reason", "the vendor says so");
        confirm("Skip now");
        give("RESUME", "Resume now");

        DashboardApp.await().until(() -> app.orders() == before + 1);
        assertThat(copies(0, position)).isZero();
        assertThat(copies(0, position + 2)).isEqualTo(1);

        page.click(By.linkText("Batches"));
        page.waitForText("tbody", "skipped");
        page.set("#record-partition", app.lane(0));
        page.type("#record-offset", String.valueOf(position));
        page.click(By.xpath("//button[text()='Find']"));
        page.waitForText(".found", ", skipped ");
        assertThat(page.text(".found")).doesNotContain(" by ");
    }

    @Test
    void howFarToSkipIsForTheOperatorToSay() {
        open("lanes");
        page.click("button[aria-label='Command to " + app.lane(0) + "']");
        page.set("#command-action", "SKIP");
        page.waitForText("dialog fieldset", String.format(Locale.ENGLISH, "stands at %,d", position(0)));
        assertThat(value("dialog fieldset input")).isEqualTo("");

        page.type("#command-reason", "just pressing on");
        page.click("dialog button[type=submit]");

        page.waitUntil("return document.querySelector('dialog fieldset input').matches(':focus:invalid')");
        assertThat(app.number("select count(*) from tandem.operator_command where reason = 'just pressing on'"))
                .isZero();
    }

    @Test
    void theStreamIsNotNarrowedToALaneByLookingAtOtherTargets() {
        open("");
        page.click(".toolbar [data-action=REWIND]");
        page.click("#rewind-kind-offsets");
        assertThat(value("#command-lane")).isEqualTo(app.lane(0));
        page.click("#rewind-kind-timestamp");
        assertThat(value("#command-lane")).isEqualTo("");

        // Nor is another lane chosen than the operator did.
        page.set("#command-lane", app.lane(1));
        page.click("#rewind-kind-batch");
        page.click("#rewind-kind-timestamp");
        assertThat(value("#command-lane")).isEqualTo(app.lane(1));

        page.set("#command-lane", "");
        page.set("#command-action", "SKIP");
        assertThat(value("#command-lane")).isEqualTo(app.lane(0));
        page.set("#command-action", "REWIND");
        page.click("dialog button[type=submit]");
        page.waitForText("dialog", "It would concern 2 lanes");
    }

    @Test
    void whatTheLogsNoLongerHaveIsTold() {
        open("lanes");
        page.script("""
                const ask = window.fetch;
                window.fetch = async (address, options) => {
                  const answer = await ask(address, options);
                  if (options.method !== 'POST') {
                    return answer;
                  }
                  const command = await answer.json();
                  command.lanes[0].unknown = 1200;
                  return new Response(JSON.stringify(command), { headers: { 'Content-Type': 'application/json' } });
                };""");
        page.click("button[aria-label='Command to " + app.lane(0) + "']");
        page.set("#command-action", "REWIND");
        page.click("#rewind-kind-batch");
        page.type("#rewind-batch", "0");
        page.click("dialog button[type=submit]");
        page.waitForText("dialog .effect", "It would concern 1 lane, at least ");
        page.waitForText("dialog .effect", ", and up to 1,200 more offsets that the logs no longer have.");
        page.waitForText("dialog tbody", "≥ ");
    }

    @Test
    void aCommandThatIsNotAnsweredHoldsUpNoOther() {
        open("");
        page.script("""
                const ask = window.fetch;
                window.fetch = (address, options) => {
                  if (options.method !== 'POST') {
                    return ask(address, options);
                  }
                  window.fetch = ask;
                  window.held = true;
                  return new Promise(() => {});
                };""");
        page.click(".toolbar [data-action=STOP]");
        page.click("dialog button[type=submit]");
        page.waitUntil("return window.held === true");
        page.key(Keys.ESCAPE);

        page.click(".toolbar [data-action=PAUSE]");
        page.click("dialog button[type=submit]");
        page.waitForText("dialog", "Nothing was done yet");
        assertThat(page.text("dialog [data-confirm]")).isEqualTo("Pause now");
    }

    @Test
    void numbersThatAreNotAnsweredAnyMoreAreNotCalledLive() {
        open("lanes");
        page.script("""
                window.ask = window.fetch;
                window.fetch = (address, { signal }) => new Promise((answer, refuse) =>
                  signal?.addEventListener('abort', () => refuse(signal.reason)));""");
        page.waitForText("#live[data-kind=away]", "hasn’t answered yet");
        page.waitForText("#live[data-kind=away]", "doesn’t answer");
        page.script("window.fetch = window.ask");
        page.waitForText("#live[data-kind=live]", "Live");
    }

    @Test
    void theServersClockIsThatOfItsNewestAnswer() {
        assertThat(page.script("""
                        return import(new URL('format.js', document.baseURI)).then(({ noteServerTime, now }) => {
                          const ahead = [];
                          for (const hours of [1, 0]) {
                            noteServerTime(new Date(Date.now() + hours * 3600000).toUTCString());
                            ahead.push(Math.round((now() - Date.now()) / 3600000));
                          }
                          return ahead.join(', ');
                        });""")).isEqualTo("1, 0");
    }

    @Test
    void anAddressThatIsNoneIsNotFound() {
        page.open(app.uri("/tandem/") + "#/streams/%");
        page.waitForText("h1", "Not found");
        page.click(By.linkText("All streams"));
        page.waitForText(".stream h2", "orders");
    }

    @Test
    void theDatabaseWasRestored() {
        open("");
        int generation = app.number("select max(generation) from tandem.lane");
        give("RESTORED", "It was restored");
        assertThat(app.number("select min(generation) from tandem.lane")).isEqualTo(generation + 1);
    }

    @Test
    void deadLettersAreShownAsTextRedrivenAndDiscarded() {
        app.context.getBean(Orders.class).repair(false);
        RecordHeaders headers = new RecordHeaders();
        headers.add(SCRIPT, SCRIPT.getBytes(StandardCharsets.UTF_8));
        app.broker.write(List.of(
                new ProducerRecord<>(app.topic, 0, null, SCRIPT.getBytes(), ("bad " + SCRIPT).getBytes(), headers),
                new ProducerRecord<>(app.topic, 0, null, null, new byte[] {'b', 'a', 'd', 0, (byte) 0xff}),
                new ProducerRecord<>(app.topic, 0, null, null, "bad for good".getBytes())));
        DashboardApp.await().until(() -> waiting().size() == 3);
        open("dead-letters");
        page.waitForText("tbody", "IllegalArgumentException");
        page.waitForText("tbody", SCRIPT);
        List<Integer> ids = waiting();

        page.click(By.linkText(String.valueOf(ids.get(0))));
        page.waitForText("pre[aria-label=Value]", SCRIPT);
        page.waitForText("pre[aria-label=Key]", SCRIPT);
        page.waitForText(".letter", "Header " + SCRIPT);
        page.waitForText("pre[aria-label='Stack trace']", "Orders.record");
        page.picture("dashboard-dead-letter-light");
        assertThat(page.accessibilityProblems()).isEmpty();

        page.click(By.linkText("All that wait"));
        page.click(By.linkText(String.valueOf(ids.get(1))));
        page.waitForText("pre[aria-label=Value]", "62 61 64 00 ff");
        page.waitForText("pre[aria-label=Value]", "bad··");

        // One is given up, from its own page.
        page.click(".letter [data-action=DISCARD]");
        page.type("#command-reason", "a test record");
        confirm("Discard now");
        assertThat(statusOf(ids.get(1))).isEqualTo("discarded");
        page.waitForText(".letter", "a test record");

        // One is processed, of two that wait.
        app.context.getBean(Orders.class).repair(true);
        page.click(By.linkText("All that wait"));
        page.click("input[aria-label='Select dead letter " + ids.get(0) + "']");
        page.click(".room [data-action=REDRIVE]");
        confirm("Re-drive now");
        DashboardApp.await().until(() -> statusOf(ids.get(0)).equals("redriven"));
        assertThat(statusOf(ids.get(2))).isEqualTo("parked");

        // And all the others.
        page.click(".room [data-action=REDRIVE]");
        page.set("#letters-cause", "java.lang.IllegalArgumentException");
        confirm("Re-drive now");
        DashboardApp.await().until(() -> statusOf(ids.get(2)).equals("redriven"));
        page.waitForText(".room", "No dead letter waits.");
        assertThat(page.script("return window.hit === undefined")).isEqualTo(true);
    }

    /** What is parked after the dry run nobody has seen. */
    @Test
    void deadLettersThatAreParkedWhileTheOperatorDecidesAreLeftAlone() {
        park(2_000_001, 2_000_002);
        try {
            open("dead-letters");
            discardUnseen();
            page.click("dialog button[type=submit]");
            page.waitForText("dialog .effect", "2 dead letters");
            park(2_000_003);
            page.click("dialog [data-confirm]");
            page.waitForText("dialog h2", "done");
            page.waitForText("dialog h2", "Discard with example.UnseenException, parked before ");
            page.waitForText("dialog .effect", "2 dead letters");
            page.click("dialog [data-close]");
            assertThat(parked()).containsExactly("2000001 discarded", "2000002 discarded", "2000003 parked");

            // Nor does a filter that reaches into the future concern them.
            discardUnseen();
            page.set("#letters-before", "2999-01-31T10:20:30");
            page.click("dialog button[type=submit]");
            page.waitForText("dialog h2", "parked before 2999-01-31");
            page.waitForText("dialog .effect", "1 dead letter");
            park(2_000_004);
            page.click("dialog [data-confirm]");
            page.waitForText("dialog h2", "done");
            page.click("dialog [data-close]");
            assertThat(parked())
                    .containsExactly("2000001 discarded", "2000002 discarded", "2000003 discarded", "2000004 parked");

            // And one that reaches less far is kept.
            discardUnseen();
            page.set("#letters-before", "2020-01-31T10:20:30");
            page.click("dialog button[type=submit]");
            page.waitForText("dialog .effect", "0 dead letters");
            page.click("dialog [data-confirm]");
            page.waitForText("dialog h2", "done");
            page.click("dialog [data-close]");
            assertThat(parked()).last().isEqualTo("2000004 parked");
        } finally {
            app.database.update("delete from tandem.dead_letter where record_offset > 2000000");
        }
    }

    /** Of whatever else waits nothing. */
    private static void discardUnseen() {
        page.waitForText("tbody", "UnseenException");
        page.click(".room [data-action=DISCARD]");
        page.set("#letters-cause", "example.UnseenException");
        page.type("#command-reason", "test data");
    }

    private static void park(int... offsets) {
        for (int offset : offsets) {
            app.database.update("""
                    insert into tandem.dead_letter (stream, topic, partition, record_offset, lane, batch, cause_class)
                    values ('orders', ?, 0, ?, ?, 0, 'example.UnseenException')
                    """, app.topic, offset, app.lane(0));
        }
    }

    private static List<String> parked() {
        return app.database.queryForList(
                "select record_offset || ' ' || status from tandem.dead_letter where record_offset > 2000000 order by 1",
                String.class);
    }

    @Test
    void allDeadLettersAreReached() {
        app.database.update("""
                insert into tandem.dead_letter (stream, topic, partition, record_offset, lane, batch, cause_class)
                select 'orders', ?, 0, 1000000 + n, ?, 0,
                       case when n = 230 then 'java.lang.ArithmeticException' else 'java.lang.IllegalStateException' end
                  from generate_series(1, 230) n
                """, app.topic, app.lane(0));
        try {
            int last = app.number("select max(id) from tandem.dead_letter");
            assertThat(app.browser()
                            .get("/tandem/api/dead-letters?stream=orders&limit=1000")
                            .body()
                            .split("\"causeType\""))
                    .as("an answer has no more than a hundred")
                    .hasSize(101);
            open("dead-letters");
            page.waitForText(".room .note", "The first 100 of 230.");
            page.click(MORE);
            page.waitForText(".room .note", "The first 200 of 230.");
            page.click(MORE);
            page.find(By.linkText(String.valueOf(last)));
            assertThat(page.script("return document.querySelectorAll('tbody tr').length"))
                    .isEqualTo(230L);
            page.waitUntil("return [...document.querySelectorAll('.room button')].at(-1).hidden");

            // What is settled by somebody else goes, on whichever page it is; and the cause of the last one is known.
            app.database.update("update tandem.dead_letter set status = 'discarded' where id = ?", last - 1);
            page.waitUntil("return document.querySelectorAll('tbody tr').length === 229");
            page.click(".room [data-action=REDRIVE]");
            page.set("#letters-cause", "java.lang.ArithmeticException");
            page.click("dialog button[type=submit]");
            page.waitForText("dialog .effect", "1 dead letter");
        } finally {
            app.database.update("delete from tandem.dead_letter where record_offset > 1000000");
        }
    }

    @Test
    void whatWasTypedStaysWhenSomethingElseIsChosenAndOnTheWayBack() {
        open("");
        page.click(".toolbar [data-action=REWIND]");
        page.set("#rewind-time", "2026-01-31T10:20:30");
        page.set("#command-lane", app.lane(1));
        assertThat(value("#rewind-time")).isEqualTo("2026-01-31T10:20:30");
        page.click("dialog button[type=submit]");
        page.waitForText("dialog", "Nothing was done yet");
        page.click(By.xpath("//button[text()='Back']"));
        assertThat(value("#rewind-time")).isEqualTo("2026-01-31T10:20:30");
        page.key(Keys.ESCAPE);
    }

    @Test
    void whoeverIsSecondIsToldAndDoesNothing() {
        open("");
        page.click(".toolbar [data-action=PAUSE]");
        page.click("dialog button[type=submit]");
        page.find("dialog [data-confirm]");
        app.database.update(
                "insert into tandem.operator_command (stream, action, issued_by) values ('orders', 'restored', 'bob')");

        page.click("dialog [data-confirm]");

        page.waitForText("dialog [role=alert]", "bob");
        assertThat(states()).containsOnly("active");
        page.errors(); // the browser notes the answer 409

        page.click(By.xpath("//button[text()='Look again']"));
        page.click("dialog [data-confirm]");
        page.waitForText("dialog h2", "done");
        assertThat(states()).containsOnly("paused");
        page.click("dialog [data-close]");
        give("RESUME", "Resume now");
    }

    @Test
    void whatIsRefusedIsExplainedAndChangesNothing() {
        open("lanes");
        page.click("button[aria-label='Command to " + app.lane(0) + "']");
        page.set("#command-action", "SKIP");
        page.type("dialog fieldset input[type=number]", "1");
        page.type("#command-reason", "backwards");
        page.click("dialog button[type=submit]");
        page.waitForText("dialog [role=alert]", "rewind");
        page.errors(); // the browser notes the answer 400
        assertThat(app.number(
                        "select count(*) from tandem.operator_command where reason = 'backwards' and not dry_run"))
                .isZero();
    }

    @Test
    void theAuditTrailTellsWhoDidWhatAndWhy() {
        open("commands");
        page.click(".toolbar [data-action=PAUSE]");
        page.type("#command-reason", SCRIPT);
        confirm("Pause now");
        page.waitForText("tbody", SCRIPT);
        page.waitForText("tbody", "dashboard");
        page.waitForText("tbody", "Pause");
        give("RESUME", "Resume now");
        assertThat(page.script("return window.hit === undefined")).isEqualTo(true);
    }

    @Test
    void olderCommandsThatCannotBeHadAreNotMissedInSilence() {
        app.database.update("""
                insert into tandem.operator_command (stream, action, issued_by, reason)
                select 'orders', 'resume', 'bob', case when n = 1 then 'the first of many' else 'one of many' end
                  from generate_series(1, 60) n
                """);
        open("commands");
        page.waitForText("tbody", "one of many");
        page.script("""
                window.ask = window.fetch;
                window.fetch = (address, options) => address.includes('before=')
                  ? Promise.reject(new TypeError('No network')) : window.ask(address, options);""");
        page.click(By.xpath("//button[text()='Older commands']"));
        page.waitForText(".room [role=alert]", "doesn’t answer");

        page.script("window.fetch = window.ask");
        page.click(By.xpath("//button[text()='Older commands']"));
        page.waitForText("tbody", "the first of many");
        assertThat(page.script("return document.querySelector('.room [role=alert]').hidden"))
                .isEqualTo(true);
    }

    @Test
    void theKeyboardIsEnough() {
        open("");
        page.find(".toolbar [data-action=PAUSE]");
        page.script("document.querySelector('.toolbar [data-action=PAUSE]').focus()");
        page.key(Keys.ENTER);
        page.find("dialog[open]");
        assertThat(page.activeElement()).isEqualTo("command-action");
        page.script("document.querySelector('dialog button[type=submit]').focus()");
        page.key(Keys.ENTER);
        page.find("dialog [data-confirm]");
        assertThat(page.activeElement()).isEqualTo("dialog-title");
        page.key(Keys.ESCAPE);
        assertThat(page.isThere("dialog[open]")).isFalse();
        assertThat(page.script("return document.activeElement.dataset.action")).isEqualTo("PAUSE");
        assertThat(states()).containsOnly("active");
    }

    @Test
    void everyPartIsAccessibleInLightAndDarkAndOnAPhone() {
        app.context.getBean(Orders.class).repair(false);
        app.send(1, "bad {\"order\": 4711, \"price\": null}", "bad {\"order\": 4712}");
        traffic();
        DashboardApp.await().until(() -> waiting().size() == 2);
        for (String colours : List.of("light", "dark")) {
            page.prefer(colours);
            for (String part : List.of("plots", "lanes", "batches", "dead-letters", "commands")) {
                look(part, colours);
            }
            page.open(app.uri("/tandem/").toString());
            page.waitForText(".stream", "orders");
            check("dashboard-streams-" + colours);
        }
        page.prefer("light");
        page.phone();
        for (String part : List.of("plots", "lanes", "batches", "dead-letters", "commands")) {
            look(part, "phone");
            assertThat(page.script("return document.documentElement.scrollWidth <= innerWidth"))
                    .as(part + " fits a phone")
                    .isEqualTo(true);
            assertThat(page.script("const tab = document.querySelector('.tabs [aria-current]').getBoundingClientRect();"
                            + "return tab.left >= 0 && tab.right <= innerWidth"))
                    .as("the tab of " + part + " is seen")
                    .isEqualTo(true);
        }
        page.open(app.uri("/tandem/").toString());
        page.waitForText(".stream", "orders");
        check("dashboard-streams-phone");
        waiting().forEach(letter -> app.context.getBean(DeadLetters.class).discard("orders", letter, "seen"));
    }

    private static List<Integer> waiting() {
        return app.database.queryForList(
                "select id from tandem.dead_letter where status = 'parked' order by id", Integer.class);
    }

    private void look(String part, String how) {
        open(part.equals("plots") ? "" : part);
        page.find(part.equals("plots") ? ".plot canvas" : ".room > div");
        page.find("#live[data-kind=live]");
        check("dashboard-" + part + "-" + how);
        if (part.equals("plots")) {
            page.click(".toolbar [data-action=REWIND]");
            page.find("dialog[open]");
            check("dashboard-command-" + how);
            page.key(Keys.ESCAPE);
        }
    }

    private void check(String picture) {
        page.picture(picture);
        assertThat(page.accessibilityProblems()).as(picture).isEmpty();
    }

    /** For the pictures: some minutes in which something happens. */
    private static void traffic() {
        if (System.getProperty("tandem.screenshots") != null) {
            Instant end = Instant.now().plusSeconds(Long.getLong("tandem.screenshots.seconds", 60));
            for (int i = 0; Instant.now().isBefore(end); i++) {
                int size = (int) (40 + 30 * Math.sin(i / 15.0));
                app.send(i % 2, values(0, size));
                java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
            }
        }
    }

    private static Object value(String css) {
        page.find(css);
        return page.script("return document.querySelector('" + css + "').value");
    }

    private static void open(String part) {
        page.open(app.uri("/tandem/#/streams/orders/" + part).toString());
        page.waitForText("h1", "orders");
        page.find("#live[data-kind=live]");
    }

    /** A command to the whole stream, from its toolbar, tried out before. */
    private static void give(String action, String now) {
        page.click(".head ~ .toolbar [data-action=" + action + "]");
        confirm(now);
    }

    private static void confirm(String now) {
        int before = app.commands().size();
        page.click("dialog button[type=submit]");
        page.waitForText("dialog", "Nothing was done yet");
        assertThat(app.commands()).hasSize(before);
        assertThat(page.text("dialog [data-confirm]")).isEqualTo(now);
        page.click("dialog [data-confirm]");
        page.waitForText("dialog h2", "done");
        page.click("dialog [data-close]");
        assertThat(app.commands()).hasSize(before + 1);
    }

    private static List<String> states() {
        return app.database.queryForList("select state from tandem.lane order by lane", String.class);
    }

    private static int copies(int partition, int offset) {
        return app.number(
                "select count(*) from orders where partition = " + partition + " and record_offset = " + offset);
    }

    private static int position(int partition) {
        return app.number(
                "select (position ->> lane)::int from tandem.lane where lane = '" + app.lane(partition) + "'");
    }

    private static String statusOf(int letter) {
        return app.database.queryForObject("select status from tandem.dead_letter where id = " + letter, String.class);
    }

    private static String[] values(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "order " + i).toArray(String[]::new);
    }
}
