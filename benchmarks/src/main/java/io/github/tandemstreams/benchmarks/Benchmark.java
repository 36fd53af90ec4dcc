package io.github.tandemstreams.benchmarks;

/** Something that is measured. */
public interface Benchmark {

    /** What {@code --only} calls it. */
    String name();

    /**
     * Measures, prints what came out, and writes it to the directory of the options.
     *
     * @return whether all contenders did what they should, and the figures count
     */
    boolean run(Options options) throws Exception;
}
