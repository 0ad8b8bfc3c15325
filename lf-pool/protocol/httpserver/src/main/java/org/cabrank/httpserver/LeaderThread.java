package org.cabrank.httpserver;

/** A thread of the pools of one server. */
final class LeaderThread extends Thread {
    private final LeaderWaits waits;

    LeaderThread(LeaderWaits waits, Runnable task) {
        super(task);
        this.waits = waits;
    }

    boolean belongsTo(LeaderWaits server) {
        return waits == server;
    }
}
