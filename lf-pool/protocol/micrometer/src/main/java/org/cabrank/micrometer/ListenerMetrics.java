package org.cabrank.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import org.cabrank.lf.figures.Figures;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ListenerCounters;

/** Meters of a listener. The tag {@code listener} has its address. Safe for use by any thread. */
public final class ListenerMetrics implements MeterBinder {
    private static final Figures<ListenerCounters> COUNTERS = new Figures<ListenerCounters>("cabrank.listener.")
            .counter("Accepted", "accepted", "Connections that the kernel has handed over", ListenerCounters::accepted)
            .counter("Refused", "refused", "Connections closed unserved", ListenerCounters::refused)
            .counter("OverLimit", "over.limit", "Connections reset because of a limit", ListenerCounters::overLimit)
            .counter("AcceptFailures", "accept.failures", "Accepts that have failed", ListenerCounters::acceptFailures)
            .counter("RatePauses", "rate.pauses", "Pauses because of the accept rate", ListenerCounters::ratePauses);

    private static final Figures<Listener> FIGURES = new Figures<Listener>("cabrank.listener.")
            .flag("Paused", "paused", "1 while the service has paused the listener, else 0", Listener::isPaused)
            .part(Listener::counters, COUNTERS);

    private final Listener listener;
    private final Tags tags;

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
        Meters.bind(registry, listener, tags, FIGURES);
    }
}
