package io.github.tandemstreams.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints what a {@link TandemConfigurationException} knows. */
final class TandemConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<TandemConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, TandemConfigurationException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
