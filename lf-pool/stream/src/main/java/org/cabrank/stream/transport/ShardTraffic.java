package org.cabrank.stream.transport;

import java.util.ArrayList;
import java.util.List;

final class ShardTraffic {
    private final List<Traffic> threads = new ArrayList<>();
    private long receivedByEnded;
    private long sentByEnded;

    /** Adds counters for the calling thread. Merges and removes the counters of threads that have ended. */
    synchronized Traffic begin() {
        threads.removeIf(traffic -> {
            boolean ended = !traffic.writer.isAlive();
            if (ended) {
                receivedByEnded += traffic.receivedOpaque();
                sentByEnded += traffic.sentOpaque();
            }
            return ended;
        });
        Traffic own = new Traffic();
        threads.add(own);
        return own;
    }

    synchronized long received() {
        return receivedByEnded
                + threads.stream().mapToLong(Traffic::receivedOpaque).sum();
    }

    synchronized long sent() {
        return sentByEnded + threads.stream().mapToLong(Traffic::sentOpaque).sum();
    }
}
