package org.cabrank.lf.observe;

import java.util.Objects;

/**
 * The registration of a bean with the platform's MBean server, under an object name of {@code org.cabrank}. Any thread may
 * register and close.
 */
public final class BeanRegistration implements AutoCloseable {
    private static final String MODULE = "java.management";

    private final PlatformRegistration registration;

    private BeanRegistration(PlatformRegistration registration) {
        this.registration = registration;
    }

    /**
     * Registers {@code bean} as {@code org.cabrank:type=TYPE,name=NAME}, with {@code instance=2} (and so on) where this process
     * has a bean of that name already.
     *
     * @param bean implements an interface whose name ends with {@code MXBean}
     * @throws IllegalStateException if this runtime has no JMX
     */
    public static BeanRegistration register(Object bean, String type, String name) {
        return register(bean, type, name, "");
    }

    /**
     * Registers {@code bean} as {@code org.cabrank:type=TYPE,name=NAME,shard=SHARD}, else as
     * {@link #register(Object, String, String)}.
     *
     * @param shard from 0
     */
    public static BeanRegistration registerShard(Object bean, String type, String name, int shard) {
        if (shard < 0) {
            throw new IllegalArgumentException("a shard's number must not be negative, but is " + shard);
        }
        return register(bean, type, name, ",shard=" + shard);
    }

    /**
     * Registers {@code histogram} as {@code org.cabrank:type=Latency,name=NAME,histogram=HISTOGRAM}, else as
     * {@link #register(Object, String, String)}.
     *
     * @param name of the reactor or pool whose service records
     */
    public static BeanRegistration registerHistogram(LatencyHistogram histogram, String name) {
        Objects.requireNonNull(histogram, "histogram");
        Objects.requireNonNull(name, "name");
        requireJmx();
        return new BeanRegistration(PlatformRegistration.ofPart(
                new LatencyHistogramBean(histogram), "Latency", name, "histogram", histogram.name()));
    }

    private static BeanRegistration register(Object bean, String type, String name, String shardKey) {
        Objects.requireNonNull(bean, "bean");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(name, "name");
        requireJmx();
        return new BeanRegistration(PlatformRegistration.of(bean, type, name, shardKey));
    }

    /** Checked before a class of JMX is loaded, because the module is optional. */
    private static void requireJmx() {
        if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
            throw new IllegalStateException("JMX needs the module " + MODULE + ", which this runtime lacks:"
                    + " build the image with it, or start with --add-modules " + MODULE);
        }
    }

    /** Returns the bean's object name. */
    public String objectName() {
        return registration.objectName();
    }

    /** Unregisters the bean. A second call has no effect. */
    @Override
    public void close() {
        registration.close();
    }
}
