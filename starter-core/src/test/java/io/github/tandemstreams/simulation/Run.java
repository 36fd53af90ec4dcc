package io.github.tandemstreams.simulation;

import java.util.List;
import java.util.Optional;

/**
 * What came of a run.
 *
 * @param violation the promise that was broken first
 * @param trace all that happened until then, for people
 */
public record Run(Optional<String> violation, List<Step> trace) {

    /**
     * One step.
     *
     * @param actor who
     * @param action what it did, or was about to do
     * @param option how it went
     */
    public record Step(String actor, String action, Option option) {

        boolean isDeviation() {
            return !option.equals(Option.GO_ON);
        }

        @Override
        public String toString() {
            return actor + ": " + action + (isDeviation() ? "   <== " + option : "");
        }
    }
}
