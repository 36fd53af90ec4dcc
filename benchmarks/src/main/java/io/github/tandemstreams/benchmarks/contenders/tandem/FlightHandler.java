package io.github.tandemstreams.benchmarks.contenders.tandem;

import io.github.tandemstreams.Batch;
import io.github.tandemstreams.ForeachBatch;
import io.github.tandemstreams.benchmarks.workloads.Flight;
import io.github.tandemstreams.benchmarks.workloads.FlightWriter;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** What the listener does, as a handler. */
@Component
@Profile("flights & !bulk")
class FlightHandler {

    private final FlightWriter writer;

    FlightHandler(FlightWriter writer) {
        this.writer = writer;
    }

    @ForeachBatch("flights")
    void write(Batch<Flight> flights) {
        writer.write(flights.values());
    }
}
