package org.cabrank.lf.management;

import org.cabrank.lf.LeaderFollowersPool;

/**
 * The registration of a pool with the platform's MBean server. It has to be asked for, because loading that server takes
 * time, which a service that nobody manages saves.
 *
 * <p>The object name is {@code org.cabrank:type=Pool,name=N}, with {@code shard=S} where the pool serves one of several
 * shards, and with {@code instance=2} (and so on) where this process has a pool of that name already.
 */
public final class PoolManagement implements AutoCloseable {
    private static final int NO_SHARD = -1;

    private final PlatformRegistration registration;

    private PoolManagement(PlatformRegistration registration) {
        this.registration = registration;
    }

    /**
     * Registers {@code pool} under its own name.
     *
     * @throws IllegalStateException when this runtime has no JMX
     */
    public static PoolManagement register(LeaderFollowersPool pool) {
        return register(pool, pool.config().name(), NO_SHARD);
    }

    /**
     * Registers {@code pool} as what serves a shard of something that has the name {@code name}.
     *
     * @param shard from 0
     * @throws IllegalStateException when this runtime has no JMX
     */
    public static PoolManagement registerShard(LeaderFollowersPool pool, String name, int shard) {
        if (shard < 0) {
            throw new IllegalArgumentException("a shard's number must not be negative, but is " + shard);
        }
        return register(pool, name, shard);
    }

    private static PoolManagement register(LeaderFollowersPool pool, String name, int shard) {
        ShardManagement.requireJmx();
        String shardKey = shard == NO_SHARD ? "" : ",shard=" + shard;
        return new PoolManagement(PlatformRegistration.of(new PoolBean(pool), "Pool", name, shardKey));
    }

    /** Under which the pool is found. */
    public String objectName() {
        return registration.objectName();
    }

    /** Takes the pool off the MBean server; a second call has no effect. The pool itself goes on. */
    @Override
    public void close() {
        registration.close();
    }
}
