package org.cabrank.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import org.cabrank.stream.Listener;

/** Meters of a listener (tag {@code listener}: its address). Any thread. */
public final class ListenerMetrics implements MeterBinder {
    private final Listener listener;
    private final Tags tags;

    /** @param tags of all meters */
    public ListenerMetrics(Listener listener, Iterable<Tag> tags) {
        this.listener = Objects.requireNonNull(listener, "listener");
        this.tags = Tags.of(Objects.requireNonNull(tags, "tags")).and("listener", text(listener.address()));
    }

    private static String text(SocketAddress address) {
        return address instanceof InetSocketAddress inet && !inet.isUnresolved()
                ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
                : address.toString();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters<Listener> meters = new Meters<>(registry, listener, tags);
        meters.gauge(
                "cabrank.listener.paused",
                "1 while the service has paused the listener, else 0",
                own -> own.isPaused() ? 1 : 0);
        meters.counter(
                "cabrank.listener.accepted",
                "Connections that the kernel has handed over",
                own -> own.counters().accepted());
        meters.counter(
                "cabrank.listener.refused",
                "Connections closed unserved",
                own -> own.counters().refused());
        meters.counter(
                "cabrank.listener.over.limit",
                "Connections reset because of a limit",
                own -> own.counters().overLimit());
        meters.counter(
                "cabrank.listener.accept.failures",
                "Accepts that have failed",
                own -> own.counters().acceptFailures());
        meters.counter(
                "cabrank.listener.rate.pauses",
                "Pauses because of the accept rate",
                own -> own.counters().ratePauses());
    }
}
