package io.github.tandemstreams.autoconfigure;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A gauge that is there only while its value is known: an unknown lag is absent, and not 0 or something that spoils sums.
 *
 * <p>Threading: set and removed by one thread, read by any.
 */
final class KnownGauge {

    private final MeterRegistry registry;
    private final String name;
    private final String description;
    private final String unit;
    private final Tags tags;
    private volatile double value;
    private @Nullable Gauge registered;

    KnownGauge(MeterRegistry registry, String name, String description, String unit, Tags tags) {
        this.registry = registry;
        this.name = name;
        this.description = description;
        this.unit = unit;
        this.tags = tags;
    }

    void set(OptionalDouble now) {
        if (now.isEmpty()) {
            remove();
            return;
        }
        value = now.getAsDouble();
        if (registered == null) {
            registered = Gauge.builder(name, this, gauge -> gauge.value)
                    .description(description)
                    .baseUnit(unit)
                    .tags(tags)
                    .register(registry);
        }
    }

    void remove() {
        Gauge present = registered;
        if (present != null) {
            registry.remove(present);
            registered = null;
        }
    }
}
