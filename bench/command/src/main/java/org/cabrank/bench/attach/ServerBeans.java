package org.cabrank.bench.attach;

import java.util.List;
import java.util.Optional;

/**
 * The beans of a server at one time.
 *
 * @param atNs by {@link System#nanoTime}
 * @param tls empty if the service shows no TLS
 */
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
