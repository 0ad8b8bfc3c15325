package org.cabrank.stream.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.stream.ListenOptions;

/** Limits the connections of one listener, in total and for each peer address, or all connections of a reactor. Any thread may use it. */
public final class ConnectionQuota {
    public static final ConnectionQuota NONE =
            new ConnectionQuota(ListenOptions.UNLIMITED, ListenOptions.UNLIMITED, null);

    /** Quota of the reactor, which also counts these connections, or {@link #NONE}. Null if this is the quota of the reactor. */
    private final ConnectionQuota ofReactor;

    private final int max;
    private final int perPeerMax;
    private final AtomicInteger standing = new AtomicInteger();

    private final ConcurrentHashMap<InetAddress, Integer> peers = new ConcurrentHashMap<>();

    private ConnectionQuota(int max, int perPeerMax, ConnectionQuota ofReactor) {
        this.max = max;
        this.perPeerMax = perPeerMax;
        this.ofReactor = ofReactor;
    }

    static ConnectionQuota of(int connectionsMax) {
        return connectionsMax == 0 ? NONE : new ConnectionQuota(connectionsMax, ListenOptions.UNLIMITED, null);
    }

    public int max() {
        return max == ListenOptions.UNLIMITED ? 0 : max;
    }

    public static ConnectionQuota of(ListenOptions options, ConnectionQuota ofReactor) {
        boolean unlimited = options.connectionsMax() == ListenOptions.UNLIMITED
                && options.connectionsPerPeerMax() == ListenOptions.UNLIMITED;
        return unlimited
                ? ofReactor
                : new ConnectionQuota(options.connectionsMax(), options.connectionsPerPeerMax(), ofReactor);
    }

    public boolean countsPeers() {
        return perPeerMax != ListenOptions.UNLIMITED;
    }

    /** Counts a connection. Returns false if a limit is reached. {@code remote} may be null unless {@link #countsPeers}. */
    public boolean tryTake(SocketAddress remote) {
        if (this == NONE) {
            return true;
        }
        if (ofReactor == null) {
            return tryTakeOwn(remote);
        }
        if (!ofReactor.tryTake(remote)) {
            return false;
        }
        boolean taken = tryTakeOwn(remote);
        if (!taken) {
            ofReactor.giveBack(remote);
        }
        return taken;
    }

    private boolean tryTakeOwn(SocketAddress remote) {
        if (max != ListenOptions.UNLIMITED && standing.incrementAndGet() > max) {
            standing.decrementAndGet();
            return false;
        }
        InetAddress peer = counted(remote);
        if (peer == null || tryTake(peer)) {
            return true;
        }
        if (max != ListenOptions.UNLIMITED) {
            standing.decrementAndGet();
        }
        return false;
    }

    private boolean tryTake(InetAddress peer) {
        while (true) {
            Integer seen = peers.putIfAbsent(peer, 1);
            if (seen == null) {
                return true;
            }
            if (seen >= perPeerMax) {
                return false;
            }
            if (peers.replace(peer, seen, seen + 1)) {
                return true;
            }
        }
    }

    /** Called when a counted connection has ended or has failed to start. */
    public void giveBack(SocketAddress remote) {
        if (this == NONE) {
            return;
        }
        if (max != ListenOptions.UNLIMITED) {
            standing.decrementAndGet();
        }
        InetAddress peer = counted(remote);
        if (peer != null) {
            peers.computeIfPresent(peer, (address, count) -> count == 1 ? null : count - 1);
        }
        if (ofReactor != null) {
            ofReactor.giveBack(remote);
        }
    }

    private InetAddress counted(SocketAddress remote) {
        return countsPeers() && remote instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }
}
