package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.topology.Cpu;

/** Deals CPUs out, each once, and all of them anew when none is left. */
final class Dealer {
    private final List<Cpu> order;
    private final List<Cpu> left;

    /** @param order the best first */
    Dealer(List<Cpu> order) {
        this.order = order;
        this.left = new ArrayList<>(order);
    }

    /** The next CPU, and {@code count - 1} more as near to it as can be. */
    List<Cpu> deal(int count) {
        Cpu first = take(0);
        List<Cpu> dealt = new ArrayList<>(List.of(first));
        // When all have been dealt, the others of this shard take turns on those that it has.
        while (dealt.size() < count && !left.isEmpty()) {
            dealt.add(take(nearest(first)));
        }
        return dealt;
    }

    private Cpu take(int index) {
        if (left.isEmpty()) {
            left.addAll(order);
        }
        return left.remove(index);
    }

    private int nearest(Cpu to) {
        int best = 0;
        for (int i = 1; i < left.size(); i++) {
            if (steps(to, left.get(i)) < steps(to, left.get(best))) {
                best = i;
            }
        }
        return best;
    }

    /** How far data has to go between two CPUs: a cache, a node, a package, or further. */
    private static int steps(Cpu one, Cpu other) {
        if (one.pkg() != other.pkg()) {
            return 3;
        }
        if (one.node() != other.node()) {
            return 2;
        }
        return one.l3() == other.l3() ? 0 : 1;
    }
}
