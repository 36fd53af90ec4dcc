package io.github.tandemstreams.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** Keeps what Spring Boot would print when an application doesn't start. */
public final class LastFailureAnalysis implements FailureAnalysisReporter {

    private static volatile @Nullable FailureAnalysis last;

    @Override
    public void report(FailureAnalysis analysis) {
        last = analysis;
    }

    static void forget() {
        last = null;
    }

    static FailureAnalysis get() {
        FailureAnalysis analysis = last;
        if (analysis == null) {
            throw new AssertionError("No failure was analyzed");
        }
        return analysis;
    }
}
