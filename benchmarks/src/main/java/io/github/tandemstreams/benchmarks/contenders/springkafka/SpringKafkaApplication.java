package io.github.tandemstreams.benchmarks.contenders.springkafka;

import io.github.tandemstreams.autoconfigure.TandemAutoConfiguration;
import io.github.tandemstreams.benchmarks.contenders.Finish;
import io.github.tandemstreams.benchmarks.contenders.SpringContender;
import io.github.tandemstreams.benchmarks.contenders.Task;
import io.github.tandemstreams.benchmarks.workloads.FlightWriter;
import io.github.tandemstreams.benchmarks.workloads.OrderWriter;
import io.github.tandemstreams.benchmarks.workloads.TotalsWriter;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** At least once: the rows are committed, then the offsets. Argument: the name of its configuration. */
@SpringBootApplication(exclude = TandemAutoConfiguration.class)
@Import({OrderWriter.class, FlightWriter.class, TotalsWriter.class})
public class SpringKafkaApplication {

    /** Runs until all records are written. */
    public static void main(String[] args) throws InterruptedException {
        SpringContender.run(SpringKafkaApplication.class, args[0]);
    }

    @Bean
    Finish finish() {
        return new Finish(Task.ofThisProcess().records());
    }
}
