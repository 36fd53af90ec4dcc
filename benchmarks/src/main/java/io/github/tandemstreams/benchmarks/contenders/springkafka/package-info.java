/** A batch listener of spring-kafka with @Transactional and JdbcTemplate. */
@NullMarked
package io.github.tandemstreams.benchmarks.contenders.springkafka;

import org.jspecify.annotations.NullMarked;
