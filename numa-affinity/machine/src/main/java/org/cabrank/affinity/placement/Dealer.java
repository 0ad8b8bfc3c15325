package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/**
 * Deals each CPU to a shard. When all CPUs are dealt, begins again with the first. A shard gets cores of one kind that are near to each
 * other. All hardware threads of a core go to one shard if possible, because they slow each other down and share the core's caches.
 */
final class Dealer {
    private static final int SAME_CLUSTER = 0;
    private static final int SAME_L3 = 1;
    private static final int SAME_PACKAGE = 2;
    private static final int SAME_NODE = 3;
    private static final int OTHER_NODE = 4;

    private final Topology topology;
    private final List<Cpu> order;
    private final List<Cpu> left;
    private final Set<Integer> coresOfOthers = new HashSet<>();

    private long demand;

    private Dealer(Topology topology, List<Cpu> order, long demand) {
        this.topology = topology;
        this.order = order;
        this.left = new ArrayList<>(order);
        this.demand = demand;
    }

    /** Deals {@code each} CPUs to each shard, but uses only as many CPUs as needed, from the beginning of {@code order}. */
    static List<List<Cpu>> dealFirst(Topology topology, List<Cpu> order, int shards, int each) {
        long demand = (long) shards * each;
        return plain(topology, first(order, demand), shards, each, demand, false);
    }

    private static List<Cpu> first(List<Cpu> order, long demand) {
        return order.subList(0, (int) Math.min(order.size(), demand));
    }

    /**
     * Deals {@code each} CPUs to each shard. If {@code tight}, uses only the first CPUs of each kind in {@code order}.
     *
     * <p>On a hybrid machine, a shard of several threads gets all hardware threads of a fast core, which no other shard uses, before a
     * slower core. Threads of one shard take turns and share data, so a shared core costs them less than a slower core.
     */
    static List<List<Cpu>> deal(Topology topology, List<Cpu> order, int shards, int each, boolean tight) {
        List<List<Cpu>> dealt = new ArrayList<>();
        List<Cpu> rest = order;
        List<CoreKind> kinds = order.stream().map(Cpu::kind).distinct().sorted().toList();
        for (CoreKind kind : each > 1 && kinds.size() > 1 ? kinds : List.<CoreKind>of()) {
            List<Cpu> ofKind = order.stream().filter(cpu -> cpu.kind() == kind).toList();
            int cores = Cpus.cores(ofKind);
            int coresEach = coresEach(ofKind, each);
            int here = Math.min(shards - dealt.size(), cores / coresEach);
            if (threadsPerCore(ofKind) == 1 || here == 0) {
                break;
            }
            boolean coresSuffice = here * each <= cores;
            List<Cpu> taken = coresSuffice ? ofKind : ofFirstCores(ofKind, here * coresEach);
            long demand = coresSuffice ? (long) here * each : taken.size();
            dealt.addAll(plain(topology, taken, here, each, demand, coresSuffice && tight));
            rest = rest.stream().filter(cpu -> cpu.kind() != kind).toList();
        }
        int left = shards - dealt.size();
        if (left > 0 && (long) left * each > rest.size()) {
            return plain(topology, order, shards, each, (long) shards * each, tight);
        }
        dealt.addAll(plain(topology, rest, left, each, (long) left * each, tight));
        return dealt;
    }

    private static int threadsPerCore(List<Cpu> cpus) {
        return Cpus.grouped(cpus, Cpu::core).values().stream()
                .mapToInt(List::size)
                .min()
                .orElse(1);
    }

    private static int coresEach(List<Cpu> cpus, int each) {
        return (each - 1) / threadsPerCore(cpus) + 1;
    }

    private static List<Cpu> ofFirstCores(List<Cpu> order, int cores) {
        Set<Integer> first =
                order.stream().map(Cpu::core).distinct().limit(cores).collect(Collectors.toSet());
        return order.stream().filter(cpu -> first.contains(cpu.core())).toList();
    }

    private static List<List<Cpu>> plain(
            Topology topology, List<Cpu> order, int shards, int each, long demand, boolean tight) {
        Dealer dealer = new Dealer(topology, tight ? tight(first(order, demand), order, shards, each) : order, demand);
        List<List<Cpu>> dealt = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            dealt.add(dealer.deal(each));
        }
        return dealt;
    }

    /** If shards would share cores without need, returns all hardware threads of as many cores as needed, otherwise {@code first}. */
    private static List<Cpu> tight(List<Cpu> first, List<Cpu> order, int shards, int each) {
        int needed = shards * coresEach(order, each);
        return !Cpus.shareCore(first) || needed > Cpus.cores(order)
                ? first
                : ofFirstCores(order, Math.max(needed, Cpus.cores(first)));
    }

    /** Deals the next CPU and the {@code count - 1} CPUs nearest to it. Deals fewer CPUs if fewer are left. */
    private List<Cpu> deal(int count) {
        if (left.isEmpty()) {
            left.addAll(order);
            coresOfOthers.clear();
        }
        List<Cpu> dealt = new ArrayList<>(count);
        while (dealt.size() < count && !left.isEmpty()) {
            Cpu next = dealt.isEmpty() ? left.get(0) : nearest(dealt);
            left.remove(next);
            dealt.add(next);
            demand--;
        }
        coresOfOthers.addAll(coresOf(dealt));
        return dealt;
    }

    private Cpu nearest(List<Cpu> dealt) {
        Cpu first = dealt.get(0);
        Set<Integer> own = coresOf(dealt);
        Set<Integer> untouched = coresOf(left);
        untouched.removeAll(own);
        untouched.removeAll(coresOfOthers);
        boolean coresAreShort = demand > untouched.size();
        return left.stream()
                .min(Comparator.<Cpu, Boolean>comparing(cpu -> coresOfOthers.contains(cpu.core()))
                        .thenComparing(cpu -> !(coresAreShort && own.contains(cpu.core())))
                        .thenComparing(cpu -> cpu.kind() != first.kind())
                        .thenComparing(cpu -> own.contains(cpu.core()) ? SAME_L3 : steps(first, cpu))
                        .thenComparing(cpu -> own.contains(cpu.core())))
                .orElseThrow();
    }

    private static Set<Integer> coresOf(List<Cpu> cpus) {
        return cpus.stream().map(Cpu::core).collect(Collectors.toCollection(HashSet::new));
    }

    private int steps(Cpu one, Cpu other) {
        if (one.node() != other.node()) {
            return OTHER_NODE + 2 * topology.distance(one.node(), other.node()) + (one.pkg() == other.pkg() ? 0 : 1);
        }
        if (one.pkg() != other.pkg()) {
            return SAME_NODE;
        }
        if (one.l3() != other.l3()) {
            return SAME_PACKAGE;
        }
        return Orders.cluster(one) == Orders.cluster(other) ? SAME_CLUSTER : SAME_L3;
    }
}
