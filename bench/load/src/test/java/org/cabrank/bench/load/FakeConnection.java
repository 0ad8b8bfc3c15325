package org.cabrank.bench.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A connection whose server is the test, in the test's time. */
final class FakeConnection implements Requester {

    /** Latencies of its answers, by the times they were intended for. */
    final List<Long> latenciesNs = new ArrayList<>();
    /** For what time each of its requests was intended. */
    final List<Long> intendedNs = new ArrayList<>();

    private final int place;
    private final int depth;
    private final Deque<Long> underWayNs = new ArrayDeque<>();
    private long roomSinceNs;
    private boolean failed;

    FakeConnection(int place, int depth) {
        this.place = place;
        this.depth = depth;
    }

    void fail() {
        failed = true;
    }

    boolean awaitsAnswer() {
        return !underWayNs.isEmpty();
    }

    /** The oldest request is answered. */
    void answer(SendingPace pace, long nowNs) {
        roomSinceNs = underWayNs.size() == depth ? nowNs : roomSinceNs;
        latenciesNs.add(nowNs - underWayNs.remove());
        pace.free(this, nowNs);
    }

    @Override
    public int place() {
        return place;
    }

    @Override
    public int room() {
        return failed ? 0 : depth - underWayNs.size();
    }

    @Override
    public long roomSinceNs() {
        return roomSinceNs;
    }

    @Override
    public void request(long atNs) {
        if (room() == 0) {
            throw new IllegalStateException("a request without room");
        }
        underWayNs.add(atNs);
        intendedNs.add(atNs);
    }

    @Override
    public void flush() {
        // Requests count as sent at once.
    }
}
