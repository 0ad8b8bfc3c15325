package org.cabrank.socket.transport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The listeners of all shards that have ever paused for lack of a descriptor: a descriptor that any shard releases may help them. Any
 * thread. Usually empty, so a check costs one read.
 */
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
