package io.github.tandemstreams.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What can be wrong with handlers, and what to do about it. */
final class HandlerMistakes {

    private HandlerMistakes() {}

    static TandemConfigurationException missing(String stream, Collection<String> streams) {
        String others = streams.isEmpty()
                ? "There is no handler at all."
                : "There are handlers for " + new TreeSet<>(streams) + ".";
        return new TandemConfigurationException(
                "Stream '" + stream + "' is configured, but no bean has a handler for it. " + others,
                "Annotate a method of a bean with @ForeachBatch(\"" + stream
                        + "\"), correct the name in tandem.streams." + stream + ", or set tandem.streams." + stream
                        + ".enabled=false.");
    }

    static TandemConfigurationException several(String stream, List<Handler> handlers) {
        return new TandemConfigurationException(
                "Stream '" + stream + "' has " + handlers.size() + " handlers, but a batch is handed to one:\n\n"
                        + handlers.stream()
                                .map(handler -> "    - " + handler.describe())
                                .collect(Collectors.joining("\n")),
                "Keep one of them, or give each a stream of its own: two streams may read the same topic.");
    }

    static TandemConfigurationException noName(Handler handler) {
        return new TandemConfigurationException(
                "Handler " + handler.describe() + " names no stream.",
                "Give the stream a name, as in @ForeachBatch(\"flights\").");
    }

    static TandemConfigurationException unsuitable(Handler handler, String reason) {
        return new TandemConfigurationException(
                about(handler) + " can't work: " + reason + ".",
                "Let it take a Batch<T> or a List<T>, and a TransactionId if it needs one, and return nothing. T is"
                        + " byte[], String, StreamRecord<V>, or a type that is read as JSON.");
    }

    static TandemConfigurationException asynchronous(Handler handler, String reason) {
        return new TandemConfigurationException(
                about(handler) + " is asynchronous: " + reason
                        + ". The batch would be committed before its work is done, and outside its transaction.",
                "Do the work in the calling thread, and return nothing.");
    }

    static TandemConfigurationException notInvocable(Handler handler, String reason) {
        return new TandemConfigurationException(
                about(handler) + " can't be called: the method " + reason + ".",
                "Make the method open and not private, or declare it in an interface if the bean is proxied by"
                        + " interfaces.");
    }

    static TandemConfigurationException leavesTransaction(Handler handler, String propagation) {
        return new TandemConfigurationException(
                about(handler) + " leaves the batch's transaction: it is @Transactional with propagation " + propagation
                        + ". Its writes would not commit together with the batch.",
                "Remove the annotation: a handler always runs in a transaction.");
    }

    static TandemConfigurationException otherManager(Handler handler, String manager, String transactionManager) {
        return new TandemConfigurationException(
                about(handler) + " leaves the batch's transaction: it is @Transactional by '" + manager
                        + "', but the stream's transaction manager is '" + transactionManager + "'.",
                "Remove the annotation, or set tandem.streams." + handler.stream() + ".transaction-manager=" + manager
                        + ".");
    }

    static TandemConfigurationException noDeserializer(
            String stream, Class<?> deserializer, @Nullable Throwable cause) {
        return new TandemConfigurationException(
                "The value deserializer of stream '" + stream + "', " + deserializer.getName() + ", "
                        + (cause == null
                                ? "is no org.apache.kafka.common.serialization.Deserializer."
                                : "can't be instantiated: " + cause.getMessage() + "."),
                "Correct tandem.streams." + stream + ".value-deserializer. The class needs a constructor without"
                        + " parameters.",
                cause);
    }

    static TandemConfigurationException otherValues(
            Handler handler, Class<?> deserializer, Class<?> reads, Class<?> wanted) {
        return new TandemConfigurationException(
                about(handler) + " takes values of " + wanted.getName() + ", but its deserializer, "
                        + deserializer.getName() + ", reads " + reads.getName() + ".",
                "Correct the handler's parameter, or tandem.streams." + handler.stream() + ".value-deserializer.");
    }

    private static String about(Handler handler) {
        return "Handler " + handler.describe() + " of stream '" + handler.stream() + "'";
    }
}
