package org.cabrank.lf.figures;

import java.util.Objects;
import org.cabrank.lf.observe.BeanRegistration;
import org.cabrank.lf.observe.LatencyHistogram;

/**
 * Registers observed objects with the platform's MBean server. If the name is taken, {@code ,instance=N} is added to it. {@code N} is the
 * first free number from 2. Each method throws an {@link IllegalStateException} if this runtime has no JMX. Any thread may call any method.
 */
public final class Beans {
    private static final String MODULE = "java.management";

    private Beans() {}

    /** Registers {@code source} as {@code org.cabrank:type=TYPE,name=NAME}, with an attribute for each figure. */
    public static <T> BeanRegistration register(T source, Figures<T> figures, String type, String name) {
        return registered(source, figures, "type", type, "name", name);
    }

    /** Registers {@code org.cabrank:type=TYPE,name=NAME,shard=SHARD}. The first shard is 0. */
    public static <T> BeanRegistration registerShard(
            T source, Figures<T> figures, String type, String name, int shard) {
        if (shard < 0) {
            throw new IllegalArgumentException("a shard's number must not be negative, but is " + shard);
        }
        return registered(source, figures, "type", type, "name", name, "shard", Integer.toString(shard));
    }

    /** Registers {@code org.cabrank:type=Latency,name=NAME,histogram=HISTOGRAM}. {@code name} is the name of the reactor or pool. */
    public static BeanRegistration registerHistogram(LatencyHistogram histogram, String name) {
        return registered(
                histogram, PoolFigures.HISTOGRAM, "type", "Latency", "name", name, "histogram", histogram.name());
    }

    /** Checks first that this runtime has JMX, because {@link PlatformBean} needs classes of that optional module. */
    private static <T> BeanRegistration registered(T source, Figures<T> figures, String... keys) {
        Objects.requireNonNull(source, "source");
        if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
            throw new IllegalStateException("JMX needs the module " + MODULE + ", which this runtime lacks:"
                    + " build the image with it, or start with --add-modules " + MODULE);
        }
        return new PlatformBean<>(source, figures, keys);
    }
}
