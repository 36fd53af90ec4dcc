package io.github.tandemstreams.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.tandemstreams.Offsets;
import io.github.tandemstreams.StreamCommand;
import io.github.tandemstreams.StreamCommand.Action;
import io.github.tandemstreams.StreamCommand.Letters;
import io.github.tandemstreams.StreamCommand.ToBatch;
import io.github.tandemstreams.StreamCommand.ToOffsets;
import io.github.tandemstreams.StreamCommand.ToTimestamp;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the page sends, and what is refused of it. */
class CommandFormTest {

    @Test
    void allOfACommandIsRead() {
        assertThat(read("""
                {"stream": "flights", "lane": "flights-3", "action": "rewind", "target": {"batch": 41}, "dryRun": true,
                 "expectedVersion": 7, "reason": "prices were wrong"}"""))
                .isEqualTo(new StreamCommand(
                        "flights", "flights-3", Action.REWIND, new ToBatch(41), true, 7L, null, "prices were wrong"));
    }

    @Test
    void eachTargetIsRead() {
        assertThat(target("null")).isNull();
        assertThat(target("{\"timestamp\": \"2026-01-31T00:00:00Z\"}"))
                .isEqualTo(new ToTimestamp(Instant.parse("2026-01-31T00:00:00Z")));
        assertThat(target("{\"offsets\": {\"flights-3\": 1200}}"))
                .isEqualTo(new ToOffsets(Offsets.of("flights-3", 1200)));
        assertThat(target("{\"letters\": {}}")).isEqualTo(Letters.ALL);
        assertThat(target("{\"letters\": {\"ids\": [3, 4], \"causeClass\": \"a.B\", \"parkedBefore\": null}}"))
                .isEqualTo(new Letters(Set.of(3L, 4L), "a.B", null));
    }

    /** A filter that lost its field would hit all dead letters instead of some. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"letters\": {\"id\": [3]}}",
                "{\"letters\": {\"ids\": []}}",
                "{\"letters\": {\"ids\": 3}}",
                "{\"letters\": {\"ids\": [\"3\"]}}",
                "{\"letters\": {\"ids\": [1.5]}}",
                "{\"letters\": {\"parkedBefore\": \"yesterday\"}}",
                "{\"letters\": {\"causeClass\": 1}}",
                "{\"letters\": null}",
                "{}",
                "[]",
                "{\"batch\": 1, \"timestamp\": \"2026-01-31T00:00:00Z\"}",
                "{\"batch\": null}",
                "{\"batch\": \"1\"}",
                "{\"batch\": 99999999999999999999}",
                "{\"offsets\": {}}",
                "{\"offsets\": {\"flights-3\": \"1200\"}}",
                "{\"ofsets\": {\"flights-3\": 1200}}"
            })
    void aTargetThatIsNotUnderstoodIsRefused(String target) {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> target(target))
                .matches(refused -> refused.status() == 400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{\"action\": \"PAUSE\", \"dryRun\": true}",
                "{\"stream\": \"flights\", \"dryRun\": true}",
                "{\"stream\": \"flights\", \"action\": \"EXPLODE\", \"dryRun\": true}",
                "{\"stream\": \"flights\", \"action\": \"PAUSE\"}",
                "{\"stream\": \"flights\", \"action\": \"PAUSE\", \"dryRun\": \"true\"}",
                "{\"stream\": \"flights\", \"action\": \"PAUSE\", \"dryRun\": true, \"issuedBy\": \"somebody else\"}",
                "{\"stream\": \"flights\", \"stream\": \"orders\", \"action\": \"PAUSE\", \"dryRun\": true}",
                "{\"stream\": \"flights\", \"action\": \"PAUSE\", \"dryRun\": true} {}"
            })
    void aCommandThatIsNotUnderstoodIsRefused(String body) {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> read(body))
                .matches(refused -> refused.status() == 400);
    }

    private static StreamCommand.Target target(String target) {
        return read("{\"stream\": \"flights\", \"action\": \"REWIND\", \"dryRun\": true, \"target\": " + target + "}")
                .target();
    }

    private static StreamCommand read(String body) {
        return CommandForm.read(body.getBytes(StandardCharsets.UTF_8));
    }
}
