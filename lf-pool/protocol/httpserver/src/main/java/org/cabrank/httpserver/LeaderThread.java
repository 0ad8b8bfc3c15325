package org.cabrank.httpserver;

import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.stream.Connection;
import org.cabrank.stream.transport.StreamConnection;

/** A thread of one of the pools of a server. Only the thread itself uses the fields. */
final class LeaderThread extends Thread {
    private final LeaderWaits waits;
    private LeaderFollowersPool pool;
    private int shard;

    LeaderThread(LeaderWaits waits, Runnable task) {
        super(task);
        this.waits = waits;
    }

    /** Notes the shard of the calling thread, which never changes. Called before each call of a handler for {@code connection}. */
    static void serves(Connection connection) {
        if (Thread.currentThread() instanceof LeaderThread own && own.pool == null) {
            own.shard = connection.shard();
            own.pool = poolOf(connection);
        }
    }

    static LeaderFollowersPool poolOf(Connection connection) {
        return LeaderFollowersPool.of(
                StreamConnection.below(connection).handle().handleSet());
    }

    boolean belongsTo(LeaderWaits server) {
        return waits == server;
    }

    LeaderFollowersPool pool() {
        return pool;
    }

    int shard() {
        return shard;
    }
}
