package io.github.tandemstreams.benchmarks.workloads;

import java.math.BigDecimal;
import java.time.Instant;

/** An order: about 110 bytes of JSON. */
public record Order(long id, int customer, String product, int quantity, BigDecimal price, Instant at) {}
