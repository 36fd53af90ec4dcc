package io.github.tandemstreams.autoconfigure;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.Effects;
import io.github.tandemstreams.StreamRecord;
import io.github.tandemstreams.TransactionId;
import java.lang.reflect.Type;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;

/**
 * What a handler takes: a {@link Batch} or a {@link List} of values, and a {@link TransactionId} if it wants one, in any
 * order.
 *
 * @param parameters classes of the parameters
 * @param value type of a value; of the value in a record, if the handler takes {@link StreamRecord}s
 * @param takesRecords whether the handler takes {@link StreamRecord}s instead of bare values
 */
record HandlerSignature(List<Class<?>> parameters, Type value, boolean takesRecords) {

    /**
     * Reads the signature.
     *
     * @throws TandemConfigurationException if it can't work
     */
    static HandlerSignature of(Handler handler) {
        List<Class<?>> parameters = List.of(handler.method().getParameterTypes());
        int batch = batchParameter(handler, parameters);
        Type value = value(handler, handler.method().getGenericParameterTypes()[batch]);
        boolean takesRecords = ValueTypes.raw(value) == StreamRecord.class;
        return new HandlerSignature(parameters, takesRecords ? value(handler, value) : value, takesRecords);
    }

    private static int batchParameter(Handler handler, List<Class<?>> parameters) {
        int batch = -1;
        int ids = 0;
        for (int i = 0; i < parameters.size(); i++) {
            Class<?> type = parameters.get(i);
            if (type == Batch.class || type == List.class) {
                require(handler, batch < 0, "it takes more than one batch");
                batch = i;
            } else {
                require(handler, type == TransactionId.class, "nothing can be given as its " + type.getSimpleName());
                require(handler, ++ids == 1, "it takes more than one TransactionId");
                require(
                        handler,
                        handler.effects() == Effects.ANYWHERE,
                        "it takes a TransactionId, but with effects = DATABASE there is none");
            }
        }
        require(handler, batch >= 0, "it takes no batch");
        return batch;
    }

    private static Type value(Handler handler, Type container) {
        @Nullable Type value = ValueTypes.argument(container, handler.beanType());
        if (value == null) {
            throw HandlerMistakes.unsuitable(handler, "it doesn't say what the values are");
        }
        Class<?> raw = ValueTypes.raw(value);
        require(
                handler,
                raw != ConsumerRecord.class && raw != Message.class,
                "its values can't be a " + raw.getSimpleName()
                        + " (a StreamRecord<V> has key, headers, partition and offset)");
        return value;
    }

    private static void require(Handler handler, boolean met, String otherwise) {
        if (!met) {
            throw HandlerMistakes.unsuitable(handler, otherwise);
        }
    }
}
