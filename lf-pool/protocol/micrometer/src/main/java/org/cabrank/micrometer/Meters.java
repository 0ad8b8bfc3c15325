package org.cabrank.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Registers meters of one object. The registry holds the object weakly.
 *
 * @param <T> type of the object that the meters read
 */
final class Meters<T> {
    private final MeterRegistry registry;
    private final T source;
    private final Tags tags;

    Meters(MeterRegistry registry, T source, Tags tags) {
        this.registry = registry;
        this.source = source;
        this.tags = tags;
    }

    /** Meters of the same object with one more tag. */
    Meters<T> with(String key, String value) {
        return new Meters<>(registry, source, tags.and(key, value));
    }

    void counter(String name, String description, ToDoubleFunction<T> value) {
        counter(name, null, description, value);
    }

    void bytesCounter(String name, String description, ToDoubleFunction<T> value) {
        counter(name, BaseUnits.BYTES, description, value);
    }

    private void counter(String name, String unit, String description, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, source, value)
                .tags(tags)
                .baseUnit(unit)
                .description(description)
                .register(registry);
    }

    void gauge(String name, String description, ToDoubleFunction<T> value) {
        Gauge.builder(name, source, value).tags(tags).description(description).register(registry);
    }

    void bytesGauge(String name, String description, ToDoubleFunction<T> value) {
        Gauge.builder(name, source, value)
                .tags(tags)
                .baseUnit(BaseUnits.BYTES)
                .description(description)
                .register(registry);
    }

    /** @param valueNs in ns */
    void timeGauge(String name, String description, ToDoubleFunction<T> valueNs) {
        TimeGauge.builder(name, source, TimeUnit.NANOSECONDS, valueNs)
                .tags(tags)
                .description(description)
                .register(registry);
    }
}
