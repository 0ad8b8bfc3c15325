package org.cabrank.socket.transport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Listeners of all shards that have ever paused. A descriptor that a shard releases may help them. Usually empty. */
final class AcceptPauses {
    private final List<AcceptPause> pauses = new CopyOnWriteArrayList<>();

    synchronized boolean add(AcceptPause pause) {
        boolean first = pauses.stream().noneMatch(other -> other.listening().equals(pause.listening()));
        pauses.add(pause);
        return first;
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
