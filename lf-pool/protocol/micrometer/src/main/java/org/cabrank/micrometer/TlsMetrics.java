package org.cabrank.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import org.cabrank.tls.Tls;

/** Meters of a {@link Tls}. Needs the TLS module. Safe for use by any thread. */
public final class TlsMetrics implements MeterBinder {
    private final Tls tls;
    private final Tags tags;

    public TlsMetrics(Tls tls, Iterable<Tag> tags) {
        this.tls = Objects.requireNonNull(tls, "tls");
        this.tags = Tags.of(Objects.requireNonNull(tags, "tags"));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters.bind(registry, tls, tags, Tls.FIGURES);
    }
}
