package org.cabrank.socket.transport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The listeners of all shards that have ever paused for want of a descriptor: one that any shard gives back may be what they
 * wait for. Any thread. Empty, but for machines that run short of descriptors, so asking costs a look.
 */
final class AcceptPauses {
    private final List<AcceptPause> pauses = new CopyOnWriteArrayList<>();

    /** True: it is the first at its address, which the listeners of several shards may have in common. */
    synchronized boolean add(AcceptPause pause) {
        boolean first = pauses.stream().noneMatch(other -> other.listening().equals(pause.listening()));
        pauses.add(pause);
        return first;
    }

    void remove(AcceptPause pause) {
        pauses.remove(pause);
    }

    /** A connection was closed, so a descriptor may be free. */
    void descriptorFreed() {
        for (AcceptPause pause : pauses) {
            pause.descriptorFreed();
        }
    }
}
