package io.github.tandemstreams.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.TransactionId;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.scheduling.annotation.Async;

/** The type of the values is read from signatures of all kinds; those that can't work are refused. */
class HandlerSignatureTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            batch                | Order
            list                 | Order
            kotlinList           | Order
            superWildcard        | Order
            variable             | Order
            bytes                | byte[]
            string               | java.lang.String
            map                  | java.util.Map<java.lang.String, java.lang.Object>
            nested               | Envelope<Order>
            nestedWildcard       | Envelope<Order>
            withId               | Order
            object               | java.lang.Object
            """)
    @Tag("J5")
    void readsTheTypeOfTheValues(String method, String type) {
        HandlerSignature signature = HandlerSignature.of(handler(Handlers.class, method));

        assertThat(named(signature)).isEqualTo(type);
        assertThat(signature.takesRecords()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"records, Order", "recordList, byte[]", "recordWildcard, Order"})
    @Tag("J5")
    void readsTheTypeOfTheValuesInRecords(String method, String type) {
        HandlerSignature signature = HandlerSignature.of(handler(Handlers.class, method));

        assertThat(named(signature)).isEqualTo(type);
        assertThat(signature.takesRecords()).isTrue();
    }

    @Test
    void readsATypeThatTheSubclassBinds() {
        assertThat(named(HandlerSignature.of(handler(OfOrders.class, "handle"))))
                .isEqualTo("Order");
        assertThat(named(HandlerSignature.of(handler(OfOrders.class, "nested"))))
                .isEqualTo("Envelope<Order>");
        assertThat(named(HandlerSignature.of(handler(OfOrders.class, "wildcard"))))
                .isEqualTo("Order");
        assertThat(named(HandlerSignature.of(handler(OfOrders.class, "records"))))
                .isEqualTo("Order");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nothing          | it takes no batch
            onlyId           | it takes no batch
            twoBatches       | it takes more than one batch
            twoIds           | it takes more than one TransactionId
            batchId          | nothing can be given as its long
            raw              | it doesn't say what the values are
            unbound          | it doesn't say what the values are
            unboundVariable  | it doesn't say what the values are
            rawRecords       | it doesn't say what the values are
            consumerRecords  | its values can't be a ConsumerRecord (a StreamRecord<V> has key, headers, partition and offset)
            iterable         | nothing can be given as its Iterable
            returnsText      | it returns a String
            isStatic         | it is static
            """)
    void refusesWhatCantWork(String method, String reason) {
        Handler handler = handler(Unsuitable.class, method);

        assertThatThrownBy(() -> {
                    HandlerChecks.requireSynchronous(handler);
                    HandlerSignature.of(handler);
                })
                .isInstanceOfSatisfying(
                        TandemConfigurationException.class,
                        failure -> assertThat(failure.description()).endsWith(" can't work: " + reason + "."));
    }

    @Test
    void refusesAnIdWhereThereIsNone() {
        Handler handler =
                new Handler("orders", Effects.DATABASE, "bean", Handlers.class, method(Handlers.class, "withId"));

        assertThatThrownBy(() -> HandlerSignature.of(handler))
                .hasMessageContaining("it takes a TransactionId, but with effects = DATABASE there is none.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            isAsync        | it is @Async
            future         | it returns a Future
            completable    | it returns a CompletableFuture
            flow           | it returns a Publisher
            """)
    void refusesWhatIsAsynchronous(String method, String reason) {
        Handler handler = handler(Asynchronous.class, method);

        assertThatThrownBy(() -> HandlerChecks.requireSynchronous(handler))
                .isInstanceOfSatisfying(
                        TandemConfigurationException.class,
                        failure -> assertThat(failure.description()).contains(" is asynchronous: " + reason + ". "));
    }

    @Test
    void refusesAClassThatIsAsynchronous() {
        assertThatThrownBy(() -> HandlerChecks.requireSynchronous(handler(AsyncClass.class, "handle")))
                .hasMessageContaining(" is asynchronous: its class is @Async. ");
    }

    private static String named(HandlerSignature signature) {
        String own = HandlerSignatureTest.class.getName() + "$";
        return signature.value().getTypeName().replace(own, "");
    }

    private static Handler handler(Class<?> type, String method) {
        return new Handler("orders", Effects.ANYWHERE, "bean", type, method(type, method));
    }

    private static Method method(Class<?> type, String name) {
        // Inherited ones too; whether a class declares any says nothing, since coverage adds one.
        return Stream.concat(Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getMethods()))
                .filter(method -> method.getName().equals(name) && !method.isBridge())
                .findFirst()
                .orElseThrow();
    }

    record Order(String id) {}

    record Envelope<T>(T payload) {}

    @SuppressWarnings("unused")
    static class Handlers {
        void batch(Batch<Order> batch) {}

        void list(List<Order> values) {}

        void kotlinList(List<? extends Order> values) {}

        void superWildcard(List<? super Order> values) {}

        <T extends Order> void variable(List<T> values) {}

        void bytes(List<byte[]> values) {}

        void string(Batch<String> values) {}

        void map(List<Map<String, Object>> values) {}

        void nested(List<Envelope<Order>> values) {}

        void nestedWildcard(List<? extends Envelope<? extends Order>> values) {}

        void withId(TransactionId id, List<Order> values) {}

        void object(List<Object> values) {}

        void records(Batch<StreamRecord<Order>> batch) {}

        void recordList(List<StreamRecord<byte[]>> values) {}

        void recordWildcard(List<? extends StreamRecord<? extends Order>> values) {}
    }

    @SuppressWarnings("unused")
    abstract static class Of<T> {
        public void handle(List<T> values) {}

        public void nested(List<Envelope<T>> values) {}

        public void wildcard(List<? extends T> values) {}

        public void records(Batch<StreamRecord<T>> values) {}
    }

    static class OfOrders extends Of<Order> {}

    @SuppressWarnings({"unused", "rawtypes"})
    static class Unsuitable {
        void nothing() {}

        void onlyId(TransactionId id) {}

        void twoBatches(Batch<Order> one, List<Order> other) {}

        void twoIds(Batch<Order> batch, TransactionId one, TransactionId other) {}

        void batchId(Batch<Order> batch, long id) {}

        void raw(List values) {}

        void unbound(List<?> values) {}

        <T> void unboundVariable(List<T> values) {}

        void rawRecords(List<StreamRecord> values) {}

        void consumerRecords(List<ConsumerRecord<String, String>> values) {}

        void iterable(Iterable<Order> values) {}

        String returnsText(List<Order> values) {
            return "";
        }

        static void isStatic(List<Order> values) {}
    }

    @SuppressWarnings("unused")
    static class Asynchronous {
        @Async
        void isAsync(List<Order> values) {}

        Future<Void> future(List<Order> values) {
            return CompletableFuture.completedFuture(null);
        }

        CompletableFuture<Void> completable(List<Order> values) {
            return CompletableFuture.completedFuture(null);
        }

        Flow.Publisher<String> flow(List<Order> values) {
            return subscriber -> {};
        }
    }

    @Async
    static class AsyncClass {
        void handle(List<Order> values) {}
    }
}
