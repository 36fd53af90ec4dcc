package io.github.tandemstreams;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a bean method the handler of a stream: it is called with one micro-batch at a time, inside the Postgres
 * transaction that also commits the batch's offsets.
 *
 * <p>The method takes a {@link Batch}{@code <T>} or a {@code List<T>}, and optionally a {@link TransactionId}; it returns
 * nothing. {@code T} says how records are read: {@code byte[]}, {@code String}, {@link StreamRecord}{@code <V>}, or a type
 * read as JSON. What it writes through Spring's transaction (JdbcTemplate, JPA, jOOQ, MyBatis) commits once for each batch
 * or not at all. An exception rolls the batch back.
 *
 * <p>Threading: called on a worker thread of the stream. Batches of one lane come one after the other, in order; batches
 * of different lanes may run at the same time.
 *
 * <p>The idea is {@code DataStreamWriter.foreachBatch} of Spark Structured Streaming, with the deduplication done here.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface ForeachBatch {

    /** Name of the stream, as in {@code tandem.streams.<name>}. The name is the stream's identity for ever. */
    String value();

    /** Where the handler's effects are; tells whether a batch must be planned before it runs. */
    Effects effects() default Effects.ANYWHERE;
}
