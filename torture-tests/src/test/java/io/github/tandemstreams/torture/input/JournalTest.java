package io.github.tandemstreams.torture.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the producers know is held against what the topic shows. */
class JournalTest {

    private final Journal journal = new Journal();

    @Test
    void knowsWhatTheTopicContradicts() {
        journal.acknowledged("plain-p-0", 0, 0);
        journal.acknowledged("plain-p-1", 0, 1);
        journal.aborted(List.of("plain-t1-0", "plain-t1-1"));
        journal.unknown(1);

        assertThat(journal.contradictions(List.of(at(0, "plain-p-0"), at(1, "plain-p-1"), at(2, "plain-p-2"))))
                .isEmpty();
        assertThat(journal.contradictions(List.of(at(0, "plain-p-0"), at(2, "plain-t1-1"))))
                .hasSize(2)
                .anySatisfy(found -> assertThat(found).contains("plain-p-1 was acknowledged"))
                .anySatisfy(found -> assertThat(found).contains("plain-t1-1 was aborted"));
        assertThat(journal.contradictions(List.of(at(0, "plain-p-0"), at(1, "plain-p-1"), at(2, "plain-p-1"))))
                .anySatisfy(found -> assertThat(found).contains("is there twice"));
    }

    private static Visible at(long offset, String id) {
        return new Visible(0, offset, Message.of(id));
    }
}
