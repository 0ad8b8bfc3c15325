package org.cabrank.bench.attach;

import java.util.List;
import java.util.Optional;

/** Beans of a server. {@code atNs} is the {@link System#nanoTime} of the reading. {@code tls} is empty if there is no TLS bean. */
public record ServerBeans(
        long atNs, List<BeanValues> pools, List<BeanValues> shards, List<BeanValues> reactors, List<BeanValues> tls) {
    public ServerBeans {
        pools = List.copyOf(pools);
        shards = List.copyOf(shards);
        reactors = List.copyOf(reactors);
        tls = List.copyOf(tls);
    }

    static Optional<BeanValues> find(List<BeanValues> beans, String name) {
        return beans.stream().filter(bean -> bean.name().equals(name)).findFirst();
    }
}
