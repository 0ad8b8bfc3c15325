package org.cabrank.stream;

import java.util.List;
import java.util.function.Supplier;
import org.cabrank.stream.management.BalanceMXBean;

/** The balance of a reactor's shards in the form that JMX asks for. */
record BalanceBean(Supplier<List<ShardCounters>> shards) implements BalanceMXBean {
    private ShardBalance balance() {
        return ShardBalance.of(shards.get());
    }

    @Override
    public int getShards() {
        return shards.get().size();
    }

    @Override
    public double getConnections() {
        return balance().connections().ratio();
    }

    @Override
    public double getDetected() {
        return balance().detected().ratio();
    }

    @Override
    public double getBytes() {
        return balance().bytes().ratio();
    }
}
