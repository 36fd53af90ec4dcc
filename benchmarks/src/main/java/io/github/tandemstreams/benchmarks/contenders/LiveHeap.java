package io.github.tandemstreams.benchmarks.contenders;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;

/** What is in use of the heap of another JVM, whatever its collector: the total of a class histogram, which counts live objects only. */
final class LiveHeap {

    private static final String TOTAL = "Total ";

    private LiveHeap() {}

    static long bytes(long pid) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(pid),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String total;
        try (BufferedReader lines = jcmd.inputReader()) {
            total = lines.lines()
                    .filter(line -> line.startsWith(TOTAL))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no class histogram of process " + pid));
        }
        jcmd.waitFor();
        // Total, instances, bytes
        return Long.parseLong(total.split("\\s+")[2]);
    }
}
