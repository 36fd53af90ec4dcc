package io.github.tandemstreams.torture.app;

import io.github.tandemstreams.torture.process.OrphanWatch;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An ordinary application of the starter. */
@SpringBootApplication
public class TortureApplication {

    /** Starts it; it ends with the process that started it. */
    public static void main(String[] args) {
        OrphanWatch.start();
        SpringApplication.run(TortureApplication.class, args);
    }
}
