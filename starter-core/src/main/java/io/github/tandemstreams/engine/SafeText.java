package io.github.tandemstreams.engine;

import io.github.tandemstreams.RecordFailedException;
import io.github.tandemstreams.checkpoint.Checkpoint;
import io.github.tandemstreams.source.SourceUnavailableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Failures in words that hold nothing of what records hold, for logs and health: classes, what the database says of itself,
 * and where in the code it was. Of the messages of exceptions only those that are known to quote nothing are repeated. The
 * whole of it is for places that not everybody reads: the debug log, the lane's row, dead letters.
 *
 * <p>Threading: any thread.
 */
final class SafeText {

    /** Those of a stack overflow have no end. */
    private static final int MAX_FRAMES = 50;

    private final Checkpoint checkpoint;

    SafeText(Checkpoint checkpoint) {
        this.checkpoint = checkpoint;
    }

    /** On one line: the exception and its causes. */
    String line(Throwable failure) {
        return chain(failure).stream().map(this::words).collect(Collectors.joining(", caused by "));
    }

    /** The same, and below it where it was. */
    String withFrames(Throwable failure) {
        return line(failure) + frames(failure);
    }

    /** The source says what is wrong and what to look at; other exceptions may say more than everybody shall read. */
    String ofSource(RuntimeException failure) {
        return failure instanceof SourceUnavailableException ? String.valueOf(failure.getMessage()) : line(failure);
    }

    /** Stack traces of the exception and its causes, each line with a line break before it. */
    static String frames(Throwable failure) {
        StringBuilder text = new StringBuilder();
        StackTraceElement[] enclosing = {};
        for (Throwable link : chain(failure)) {
            if (link != failure) {
                text.append("\nCaused by: ").append(link.getClass().getName());
            }
            StackTraceElement[] frames = link.getStackTrace();
            int shown = Math.min(frames.length - inCommon(frames, enclosing), MAX_FRAMES);
            for (int i = 0; i < shown; i++) {
                text.append("\n\tat ").append(frames[i]);
            }
            if (shown < frames.length) {
                text.append("\n\t... ").append(frames.length - shown).append(" more");
            }
            enclosing = frames;
        }
        return text.toString();
    }

    private String words(Throwable link) {
        return link.getClass().getName()
                + ofItself(link).map(words -> ": " + words).orElse("");
    }

    private Optional<String> ofItself(Throwable link) {
        if (link instanceof EngineException found) {
            return Optional.of(found.withoutContents());
        }
        // The JVM's own: which memory is full, which class is missing.
        if (link instanceof VirtualMachineError || link instanceof LinkageError) {
            return Optional.ofNullable(link.getMessage());
        }
        // Those that extend it say more than where the record is.
        if (link.getClass() == RecordFailedException.class) {
            return Optional.ofNullable(link.getMessage());
        }
        return checkpoint.withoutContents(link);
    }

    private static List<Throwable> chain(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Throwable> chain = new ArrayList<>();
        for (Throwable link = failure; link != null && seen.add(link); link = link.getCause()) {
            chain.add(link);
        }
        return chain;
    }

    /** How many of the outermost frames two stack traces share. */
    private static int inCommon(StackTraceElement[] frames, StackTraceElement[] enclosing) {
        int common = 0;
        while (common < Math.min(frames.length, enclosing.length)
                && frames[frames.length - 1 - common].equals(enclosing[enclosing.length - 1 - common])) {
            common++;
        }
        return common;
    }
}
