package io.github.tandemstreams.benchmarks.growth;

/**
 * How fast a part of the commits went.
 *
 * @param tenth which part of all
 * @param perSecond commits
 */
record Pace(int tenth, double perSecond) {

    @Override
    public String toString() {
        return "  tenth %2d: %,.0f commits/s".formatted(tenth, perSecond);
    }
}
