package io.github.tandemstreams.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Bytes of records, for people. */
class PayloadTest {

    @Test
    void textIsText() {
        assertThat(payload("Zürich <b>\n")).isEqualTo(new Payload(12, "Zürich <b>\n", null, false));
        assertThat(payload("")).isEqualTo(new Payload(0, "", null, false));
        assertThat(Payload.of(null)).isNull();
    }

    @Test
    void whatIsNoTextIsHexadecimal() {
        assertThat(Payload.of(new byte[] {0, (byte) 0xff, 0x41})).isEqualTo(new Payload(3, null, "00ff41", false));
        // It would move the cursor, or hide what comes before.
        assertThat(payload("a\u001b[2Jb")).isEqualTo(new Payload(6, null, "611b5b324a62", false));
        assertThat(payload("a\u0085b").hex()).isEqualTo("61c28562");
    }

    @Test
    void whatIsLongIsCutBetweenCharacters() {
        Payload cut = payload("x" + "é".repeat(40_000));

        assertThat(cut.bytes()).isEqualTo(80_001);
        assertThat(cut.cut()).isTrue();
        assertThat(cut.text()).isEqualTo("x" + "é".repeat(32_767));
    }

    private static Payload payload(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
