package io.github.tandemstreams.benchmarks.failover;

import io.github.tandemstreams.benchmarks.contenders.ContenderProcess;
import java.util.function.Consumer;

/** How an instance ends. */
enum Signal {

    /** As at each deployment: it may finish what it does, and leaves the group. */
    SIGTERM(ContenderProcess::terminate),

    /** As if the machine were gone: the group has to miss it. */
    SIGKILL(ContenderProcess::kill);

    private final Consumer<ContenderProcess> sending;

    Signal(Consumer<ContenderProcess> sending) {
        this.sending = sending;
    }

    void send(ContenderProcess process) {
        sending.accept(process);
    }
}
