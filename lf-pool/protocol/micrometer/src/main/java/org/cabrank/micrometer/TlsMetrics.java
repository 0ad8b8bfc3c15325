package org.cabrank.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import org.cabrank.tls.Tls;

/** Meters of a {@link Tls}; needs the module of TLS. Any thread. */
public final class TlsMetrics implements MeterBinder {
    private final Tls tls;
    private final Tags tags;

    /** @param tags of all meters */
    public TlsMetrics(Tls tls, Iterable<Tag> tags) {
        this.tls = Objects.requireNonNull(tls, "tls");
        this.tags = Tags.of(Objects.requireNonNull(tags, "tags"));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters<Tls> meters = new Meters<>(registry, tls, tags);
        String handshakes = "Handshakes of TLS";
        meters.counter(
                "cabrank.tls.handshakes.begun",
                handshakes,
                own -> own.counters().handshakesBegun());
        meters.counter(
                "cabrank.tls.handshakes.completed",
                handshakes,
                own -> own.counters().handshakesCompleted());
        meters.counter(
                "cabrank.tls.handshakes.failed",
                handshakes,
                own -> own.counters().handshakesFailed());
        meters.counter(
                "cabrank.tls.handshakes.timed.out",
                handshakes,
                own -> own.counters().handshakesTimedOut());
        meters.counter(
                "cabrank.tls.handshakes.deferred",
                "Steps of handshakes that waited for a place",
                own -> own.counters().handshakesDeferred());
        meters.counter(
                "cabrank.tls.truncations",
                "Connections ended without a close_notify",
                own -> own.counters().truncations());
        meters.counter(
                "cabrank.tls.failures",
                "Connections ended by a forbidden record or message",
                own -> own.counters().failures());
    }
}
