package io.github.tandemstreams.benchmarks.contenders.tandem;

import io.github.tandemstreams.StreamProgress;
import io.github.tandemstreams.StreamProgressListener;
import io.github.tandemstreams.benchmarks.contenders.Finish;
import io.github.tandemstreams.benchmarks.contenders.SpringContender;
import io.github.tandemstreams.benchmarks.contenders.Task;
import io.github.tandemstreams.benchmarks.workloads.FlightWriter;
import io.github.tandemstreams.benchmarks.workloads.OrderWriter;
import io.github.tandemstreams.benchmarks.workloads.TotalsWriter;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Exactly once. Argument: the name of its configuration. */
@SpringBootApplication
@Import({OrderWriter.class, FlightWriter.class, TotalsWriter.class})
public class TandemApplication {

    /** Runs until all records are committed. */
    public static void main(String[] args) throws InterruptedException {
        SpringContender.run(TandemApplication.class, args[0]);
    }

    @Bean
    Finish finish() {
        return new Finish(Task.ofThisProcess().records());
    }

    @Bean
    StreamProgressListener progress(Finish finish) {
        return new StreamProgressListener() {
            @Override
            public void onCommitted(StreamProgress progress) {
                finish.add(progress.records());
            }
        };
    }
}
