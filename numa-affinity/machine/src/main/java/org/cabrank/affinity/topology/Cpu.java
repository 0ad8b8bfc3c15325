package org.cabrank.affinity.topology;

import java.util.Objects;

/**
 * A CPU as the kernel counts them: a hardware thread. Domains (core, cluster, caches, package) are numbered from 0 over the
 * whole machine in the order of their lowest CPUs, so these numbers are not the kernel's; two CPUs are in the same domain if
 * and only if they have the same number, and that is not -1, which stands for "unknown, or there is none".
 *
 * <p>The kernel describes CPUs that are online only: those that are not have -1 everywhere.
 *
 * @param id the kernel's number
 * @param core never -1 for a CPU that is online
 * @param thread which one of its core's CPUs that are online this is, from 0
 * @param cluster of several cores that share something below the L3 cache: Intel's E-cores by four, cores of Arm's
 *     big.LITTLE; -1 where a cluster would be a single core
 * @param l2 those with the same L2 cache
 * @param l3 those with the same L3 cache
 * @param pkg the socket; never -1 for a CPU that is online
 * @param node the memory node, by the kernel's number: {@link MemoryNode#id}
 * @param capacity how fast it is, from 1 to 1024, which is the fastest one of the machine; by the kernel's {@code
 *     cpu_capacity}, else by ACPI CPPC's highest performance, else by the maximum frequency, whichever first tells CPUs apart
 * @param maxFrequencyKhz 0: unknown
 * @param isolated the scheduler puts nothing there by itself: kernel parameter isolcpus, or an isolated partition of cgroups
 *     ({@link Topology#isolating})
 * @param nohzFull without the timer tick while one thread runs: kernel parameter nohz_full
 */
public record Cpu(
        int id,
        boolean online,
        int core,
        int thread,
        int cluster,
        int l2,
        int l3,
        int pkg,
        int node,
        CoreKind kind,
        int capacity,
        long maxFrequencyKhz,
        boolean isolated,
        boolean nohzFull) {

    /** The capacity of the fastest CPU. */
    public static final int CAPACITY_MAX = 1024;

    public Cpu {
        Objects.requireNonNull(kind);
        if (capacity < 1 || capacity > CAPACITY_MAX) {
            throw new IllegalArgumentException("a capacity is from 1 to " + CAPACITY_MAX + ", not " + capacity);
        }
    }

    Cpu isolatedToo() {
        return new Cpu(
                id, online, core, thread, cluster, l2, l3, pkg, node, kind, capacity, maxFrequencyKhz, true, nohzFull);
    }
}
