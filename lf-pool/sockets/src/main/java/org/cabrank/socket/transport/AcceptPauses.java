package org.cabrank.socket.transport;

import java.net.SocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Listeners of all shards that have ever paused. A descriptor that a shard releases may help them. Usually empty. */
final class AcceptPauses {
    private final List<AcceptPause> pauses = new CopyOnWriteArrayList<>();

    /** Addresses of all pauses so far. During a drain one shard may remove its pause before another shard adds one. */
    private final Set<SocketAddress> addresses = ConcurrentHashMap.newKeySet();

    /** Returns true if this is the first pause at its address. */
    boolean add(AcceptPause pause) {
        pauses.add(pause);
        return addresses.add(pause.listening());
    }

    void remove(AcceptPause pause) {
        pauses.remove(pause);
    }

    void descriptorFreed() {
        for (AcceptPause pause : pauses) {
            pause.descriptorFreed();
        }
    }
}
