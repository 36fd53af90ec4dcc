package io.github.tandemstreams.benchmarks.contenders.springkafka;

import io.github.tandemstreams.benchmarks.contenders.Finish;
import io.github.tandemstreams.benchmarks.workloads.Flight;
import io.github.tandemstreams.benchmarks.workloads.FlightWriter;
import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** A poll's records in one transaction. */
@Component
@Profile("flights")
class FlightListener {

    private final FlightWriter writer;
    private final Finish finish;

    FlightListener(FlightWriter writer, Finish finish) {
        this.writer = writer;
        this.finish = finish;
    }

    @KafkaListener(topics = "${benchmark.topic}")
    @Transactional
    public void write(List<Flight> flights) {
        writer.write(flights);
        finish.add(flights.size());
    }
}
