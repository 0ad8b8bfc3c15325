package org.cabrank.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.figures.Figures;
import org.cabrank.lf.figures.NamedFigure;

final class Meters {
    private Meters() {}

    /** @param source read by the meters. The registry holds only a weak reference to it. */
    static <T> void bind(MeterRegistry registry, T source, Tags tags, Figures<? super T> figures) {
        figures.all().stream().filter(figure -> !figure.meter().isEmpty()).forEach(figure -> {
            String[] meter = figure.meter().split("[{=}]"); // name or name{key=value}, with a tag
            bind(registry, source, meter.length == 1 ? tags : tags.and(meter[1], meter[2]), meter[0], figure);
        });
    }

    private static <T> void bind(
            MeterRegistry registry, T source, Tags tags, String name, NamedFigure<? super T> figure) {
        String unit = figure.unit() == NamedFigure.Unit.BYTES ? BaseUnits.BYTES : null;
        if (figure.kind() == NamedFigure.Kind.COUNTER) {
            FunctionCounter.builder(name, source, figure::number)
                    .tags(tags)
                    .baseUnit(unit)
                    .description(figure.help())
                    .register(registry);
        } else if (figure.unit() == NamedFigure.Unit.NANOSECONDS) {
            TimeGauge.builder(name, source, TimeUnit.NANOSECONDS, figure::number)
                    .tags(tags)
                    .description(figure.help())
                    .register(registry);
        } else {
            Gauge.builder(name, source, figure::number)
                    .tags(tags)
                    .baseUnit(unit)
                    .description(figure.help())
                    .register(registry);
        }
    }
}
