package org.cabrank.bench.live;

import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.observe.ThreadState;
import org.cabrank.lf.observe.ThreadStatus;

/** Descriptions of the roles of a pool's threads. */
final class Roles {
    /** There is nobody to take turns with: begins the role of each such thread. */
    static final String OWN_LOOP = "own loop";

    private Roles() {}

    /** @param sharesShards its pool serves several shards, so that a leader is one of a certain shard */
    static String of(ThreadStatus thread, PoolConfig config, boolean sharesShards) {
        boolean processing = thread.state() == ThreadState.PROCESSING;
        if (config.threads() == 1) {
            return OWN_LOOP + (processing ? ", processing" : ", waiting");
        }
        String where = sharesShards ? " s" + thread.set() : "";
        return switch (thread.state()) {
            case LEADER -> "leader" + where;
            case PROCESSING -> thread.owner() ? "leader" + where + ", processing" : "processing" + where;
            case FOLLOWER -> "follower";
        };
    }
}
