package io.github.tandemstreams.autoconfigure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.RecordHeader;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.source.Decoder;
import io.github.tandemstreams.source.RawRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Values are read as the handler's signature says, or by the deserializer that is configured. */
class ValueReadersTest {

    private static final JsonMapper SNAKE_CASE = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    @Test
    void readsJsonWithTheApplicationsMapper() throws Exception {
        assertThat(decoder("orders", null).decode(record("{\"order_id\": 7}"))).isEqualTo(new Order(7));
        assertThat(decoder("envelopes", null).decode(record("{\"payload\": {\"order_id\": 7}}")))
                .isEqualTo(new Envelope<>(new Order(7)));
    }

    @Test
    void readsBytesAndText() throws Exception {
        assertThat(decoder("bytes", null).decode(record("ä"))).isEqualTo("ä".getBytes(UTF_8));
        assertThat(decoder("text", null).decode(record("ä"))).isEqualTo("ä");
    }

    @Test
    void readsRecordsWithTheirKeyAndPlace() throws Exception {
        StreamRecord<?> read = (StreamRecord<?>) decoder("records", null).decode(record("{\"order_id\": 7}"));

        assertThat(read.value()).isEqualTo(new Order(7));
        assertThat(read.keyAsString()).isEqualTo("key");
        assertThat(read.partition()).isEqualTo(3);
        assertThat(read.offset()).isEqualTo(12);
        assertThat(read.headers()).extracting(RecordHeader::name).containsExactly("trace");
    }

    @Test
    void leavesTombstonesNull() throws Exception {
        assertThat(decoder("orders", null).decode(record(null))).isNull();
        assertThat(decoder("text", null).decode(record(null))).isNull();
        assertThat(decoder("numbers", LongDeserializer.class).decode(record(null)))
                .isNull();
        StreamRecord<?> tombstone = (StreamRecord<?>) decoder("records", null).decode(record(null));
        assertThat(tombstone.isTombstone()).isTrue();
        assertThat(tombstone.keyAsString()).isEqualTo("key");
    }

    @Test
    void refusesWhatIsNoValueInsteadOfTakingItForATombstone() {
        assertThatThrownBy(() -> decoder("orders", null).decode(record("null"))).hasMessageContaining("null");
        assertThatThrownBy(() -> decoder("orders", null).decode(record(""))).isNotNull();
        assertThatThrownBy(() -> decoder("orders", null).decode(record("{\"order_id\": 7} x")))
                .isNotNull();
        assertThatThrownBy(() -> decoder("text", null).decode(record(new byte[] {(byte) 0xff})))
                .isNotNull();
        assertThatThrownBy(() -> decoder("numbers", ReturnsNull.class).decode(record("x")))
                .hasMessage("The deserializer returned null for a value of 1 bytes");
    }

    @Test
    void givesEachWorkerADeserializerOfItsOwnConfiguredLikeTheConsumer() throws Exception {
        Recording.INSTANCES.clear();
        Supplier<Decoder<@Nullable Object>> decoders = decoders("texts", Recording.class);
        Recording.INSTANCES.clear(); // one is made to see that it can be

        assertThat(decoders.get().decode(record("x"))).isEqualTo("trace:x");
        assertThat(decoders.get()).isNotNull();

        assertThat(Recording.INSTANCES)
                .hasSize(2)
                .allSatisfy(instance -> assertThat(instance.configs).isEqualTo(Map.of("schema.registry.url", "there")));
    }

    @Test
    void refusesADeserializerThatReadsSomethingElse() {
        assertThatThrownBy(() -> decoders("orders", LongDeserializer.class))
                .isInstanceOfSatisfying(
                        TandemConfigurationException.class,
                        failure -> assertThat(failure.description())
                                .isEqualTo(
                                        "Handler ValueReadersTest.Handlers.orders(Batch) of bean 'bean' of stream 'orders'"
                                                + " takes values of " + Order.class.getName()
                                                + ", but its deserializer, "
                                                + LongDeserializer.class.getName() + ", reads java.lang.Long."));
        assertThatThrownBy(() -> decoders("orders", String.class))
                .hasMessageContaining("The value deserializer of stream 'orders', java.lang.String, is no"
                        + " org.apache.kafka.common.serialization.Deserializer.");
        assertThatThrownBy(() -> decoders("orders", NoConstructor.class))
                .hasMessageContaining("NoConstructor, can't be instantiated: ");
    }

    private static Decoder<@Nullable Object> decoder(String method, @Nullable Class<?> deserializer) {
        return decoders(method, deserializer).get();
    }

    private static Supplier<Decoder<@Nullable Object>> decoders(String method, @Nullable Class<?> deserializer) {
        Handler handler = new Handler(
                "orders",
                Effects.ANYWHERE,
                "bean",
                Handlers.class,
                Arrays.stream(Handlers.class.getDeclaredMethods())
                        .filter(candidate -> candidate.getName().equals(method))
                        .findFirst()
                        .orElseThrow());
        StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("mapper", SNAKE_CASE));
        return new ValueReaders(beans.getBeanProvider(JsonMapper.class))
                .of(handler, HandlerSignature.of(handler), deserializer, Map.of("schema.registry.url", "there"));
    }

    private static RawRecord record(@Nullable Object value) {
        byte[] bytes = value instanceof String text ? text.getBytes(UTF_8) : (byte[]) value;
        return new RawRecord(
                "orders", 3, 12, 0, "key".getBytes(UTF_8), bytes, List.of(new RecordHeader("trace", new byte[0])));
    }

    record Order(int orderId) {}

    record Envelope<T>(T payload) {}

    @SuppressWarnings("unused")
    static class Handlers {
        void orders(Batch<Order> batch) {}

        void envelopes(Batch<Envelope<Order>> batch) {}

        void bytes(List<byte[]> values) {}

        void text(List<String> values) {}

        void texts(List<CharSequence> values) {}

        void numbers(List<Long> values) {}

        void records(List<StreamRecord<Order>> values) {}
    }

    public static class ReturnsNull implements Deserializer<Long> {
        @Override
        public @Nullable Long deserialize(String topic, byte[] data) {
            return null;
        }
    }

    public static class NoConstructor implements Deserializer<Order> {
        NoConstructor(String needed) {}

        @Override
        public @Nullable Order deserialize(String topic, byte[] data) {
            return null;
        }
    }

    public static class Recording implements Deserializer<String> {
        static final List<Recording> INSTANCES = new ArrayList<>();
        Map<String, ?> configs = Map.of();

        public Recording() {
            INSTANCES.add(this);
        }

        @Override
        public void configure(Map<String, ?> consumer, boolean isKey) {
            configs = consumer;
        }

        @Override
        public String deserialize(String topic, byte[] data) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String deserialize(String topic, Headers headers, byte[] data) {
            return headers.iterator().next().key() + ":" + new String(data, UTF_8);
        }
    }
}
