package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Whatever a record is like, it is read as Jackson reads it. */
class QuickRecordsTest {

    private static final JsonMapper JACKSON = JsonMapper.shared();
    private static final JsonMapper QUICK = QuickJson.in(JACKSON);

    record Place(
            int x,
            @Nullable Integer y,
            @Nullable String name,
            @Nullable List<Place> near,
            @Nullable Instant at) {}

    record Box<T>(T content, long weight) {}

    private record Hidden(String word, boolean yes) {}

    record Tags(int count, String... tags) {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Tags tags && count == tags.count && Arrays.equals(this.tags, tags.tags);
        }

        @Override
        public int hashCode() {
            return count;
        }
    }

    record Positive(int number) {
        Positive {
            if (number <= 0) {
                throw new IllegalArgumentException("not positive: " + number);
            }
        }
    }

    record Renamed(@JsonProperty("the_word") String word, int number) {}

    record Made(String word, int number) {

        @JsonCreator
        static Made of(@JsonProperty("word") String word, @JsonProperty("number") int number) {
            return new Made(word + "!", -number);
        }
    }

    record Wrapped(String word) {

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Wrapped {}
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"x\": 1, \"y\": 2, \"name\": \"a\", \"at\": \"2026-01-31T10:15:30Z\"}",
                "{\"near\": [{\"x\": 1}, {\"y\": 2, \"near\": []}, null]}",
                "{\"x\": null, \"y\": null}",
                "{\"x\": \"7\"}",
                "{\"x\": \"seven\"}",
                "{\"x\": 1e99}",
                "{\"near\": 1}",
                "{\"unknown\": {\"deep\": [1]}, \"x\": 3}",
                "{\"x\": 1, \"x\": 2}",
                "{\"x\": 1",
                "[]",
                "null",
                "\"\"",
                "12",
            })
    void readsOrRefusesAnyJsonAsJacksonDoes(String json) {
        assertThat(outcome(QUICK, json, Place.class)).isEqualTo(outcome(JACKSON, json, Place.class));
    }

    @Test
    void readsRecordsOfAllKinds() {
        read("{\"word\": \"a\", \"yes\": true}", Hidden.class);
        read("{\"count\": 2, \"tags\": [\"a\", \"b\"]}", Tags.class);
        read("{\"count\": 2}", Tags.class);
        read("{\"the_word\": \"a\", \"number\": 1}", Renamed.class);
        read("{\"word\": \"a\", \"number\": 1}", Made.class);
        read("\"a\"", Wrapped.class);
        TypeReference<Box<List<Place>>> boxes = new TypeReference<>() {};
        String box = "{\"content\": [{\"x\": 1}], \"weight\": 5}";
        assertThat(QUICK.readValue(box, boxes)).isEqualTo(JACKSON.readValue(box, boxes));
    }

    private static void read(String json, Class<?> type) {
        assertThat(QUICK.<Object>readValue(json, JACKSON.constructType(type)))
                .isEqualTo(JACKSON.<Object>readValue(json, JACKSON.constructType(type)));
    }

    @Test
    void tellsWhatAConstructorThrowsAsJacksonDoes() {
        String json = "{\"number\": -1}";
        assertThat(outcome(QUICK, json, Positive.class)).isEqualTo(outcome(JACKSON, json, Positive.class));
        Throwable thrown = catchThrowable(() -> QUICK.readValue(json, Positive.class));
        assertThat(thrown).hasMessageContaining("not positive: -1").hasCauseInstanceOf(IllegalArgumentException.class);
        assertThat(thrown.getCause().getStackTrace())
                .as("the quick way")
                .noneMatch(frame -> frame.getClassName().endsWith("AnnotatedConstructor"));
    }

    private static String outcome(JsonMapper mapper, String json, Class<?> type) {
        try {
            return "read: " + mapper.readValue(json, type);
        } catch (JacksonException refused) {
            return refused.getClass() + ": " + refused.getMessage();
        }
    }
}
