package org.cabrank.lf.observe;

import java.util.Objects;

/**
 * The registration of a pool with the platform's MBean server. It has to be asked for, because loading that server takes
 * time, which a service that nobody manages saves.
 *
 * <p>The object name is {@code org.cabrank:type=Pool,name=N}, with {@code shard=S} where the pool serves one of several
 * shards, and with {@code instance=2} (and so on) where this process has a pool of that name already.
 */
public final class PoolManagement implements AutoCloseable {
    private final BeanRegistration registration;

    private PoolManagement(BeanRegistration registration) {
        this.registration = registration;
    }

    /**
     * Registers {@code pool} under its own name.
     *
     * @throws IllegalStateException if this runtime has no JMX
     */
    public static PoolManagement register(ObservedPool pool) {
        return new PoolManagement(BeanRegistration.register(new PoolBean(pool), "Pool", pool.name()));
    }

    /**
     * Registers {@code pool} as the pool of a shard of the reactor {@code name}.
     *
     * @param shard from 0
     * @throws IllegalStateException if this runtime has no JMX
     */
    public static PoolManagement registerShard(ObservedPool pool, String name, int shard) {
        return new PoolManagement(BeanRegistration.registerShard(
                new PoolBean(Objects.requireNonNull(pool, "pool")), "Pool", name, shard));
    }

    /** Returns the object name of the pool's bean. */
    public String objectName() {
        return registration.objectName();
    }

    /** Unregisters the bean. A second call has no effect. The pool continues to run. */
    @Override
    public void close() {
        registration.close();
    }
}
