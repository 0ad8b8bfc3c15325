package org.cabrank.stream;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Predicate;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.stream.management.ReactorMXBean;

/** A reactor in the form that JMX asks for. */
record ReactorBean(StreamReactor reactor) implements ReactorMXBean {
    @Override
    public String getBackend() {
        return reactor.backendDescription();
    }

    @Override
    public String getFailure() {
        ReactorFailedException failure = reactor.failure();
        return failure == null ? null : FailureLog.name(failure.getMessage());
    }

    @Override
    public int getFailedShard() {
        ReactorFailedException failure = reactor.failure();
        return failure == null ? ReactorFailedException.ALL_SHARDS : failure.shard();
    }

    @Override
    public String[] getListeners() {
        return addresses(any -> true);
    }

    @Override
    public String[] getPausedListeners() {
        return addresses(Listener::isPaused);
    }

    private String[] addresses(Predicate<Listener> which) {
        return reactor.listeners().stream()
                .filter(which)
                .map(listener -> text(listener.address()))
                .toArray(String[]::new);
    }

    private static String text(SocketAddress address) {
        if (address instanceof InetSocketAddress inet && !inet.isUnresolved()) {
            String host = inet.getAddress().getHostAddress();
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + inet.getPort();
        }
        return address.toString();
    }

    @Override
    public long getConnections() {
        return reactor.use().connections();
    }

    @Override
    public int getConnectionsLimit() {
        return reactor.use().connectionsMax();
    }

    @Override
    public long getOverLimit() {
        return reactor.counters().overLimit();
    }

    @Override
    public long getOutboundBytes() {
        return reactor.use().outboundBytes();
    }

    @Override
    public long getOutboundLimitBytes() {
        return reactor.use().outboundMax();
    }

    @Override
    public long getOutboundRefusals() {
        return reactor.use().writesRefused();
    }

    @Override
    public long getUnreadBytes() {
        return reactor.use().unreadBytes();
    }

    @Override
    public long getUnreadLimitBytes() {
        return reactor.use().unreadMax();
    }

    @Override
    public long getUnreadRefusals() {
        return reactor.use().unreadRefused();
    }
}
