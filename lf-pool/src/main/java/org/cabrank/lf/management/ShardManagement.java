package org.cabrank.lf.management;

/**
 * The registration of what is told of a reactor's shards with the platform's MBean server; else as {@link PoolManagement}. The
 * types are {@code Reactor}, {@code Shard} and {@code Balance}.
 */
public final class ShardManagement implements AutoCloseable {
    private static final String MODULE = "java.management";

    private final PlatformRegistration registration;

    private ShardManagement(PlatformRegistration registration) {
        this.registration = registration;
    }

    /**
     * Registers {@code bean} as a shard of what has the name {@code name}.
     *
     * @param shard from 0
     * @throws IllegalStateException when this runtime has no JMX
     */
    public static ShardManagement register(ShardMXBean bean, String name, int shard) {
        requireJmx();
        return new ShardManagement(PlatformRegistration.of(bean, "Shard", name, ",shard=" + shard));
    }

    /** Registers {@code bean} as the reactor of the name {@code name}. As above. */
    public static ShardManagement register(ReactorMXBean bean, String name) {
        requireJmx();
        return new ShardManagement(PlatformRegistration.of(bean, "Reactor", name, ""));
    }

    /** Registers {@code bean} for all shards of what has the name {@code name}. As above. */
    public static ShardManagement register(BalanceMXBean bean, String name) {
        requireJmx();
        return new ShardManagement(PlatformRegistration.of(bean, "Balance", name, ""));
    }

    /** Before anything of JMX is loaded: this module does without it where nobody asks. */
    static void requireJmx() {
        if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
            throw new IllegalStateException("JMX needs the module " + MODULE + ", which this runtime lacks:"
                    + " build the image with it, or start with --add-modules " + MODULE);
        }
    }

    /** Takes the bean off the MBean server; a second call has no effect. */
    @Override
    public void close() {
        registration.close();
    }
}
