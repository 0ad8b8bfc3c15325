package org.cabrank.affinity.topology;

import java.util.Objects;

/**
 * A CPU in the kernel's sense: a hardware thread. Domains (core, cluster, caches, package) are numbered from 0 over the whole machine in
 * the order of their lowest CPUs, unlike the kernel's numbers. Two CPUs are in the same domain if and only if they have the same number
 * other than -1, which means "unknown or none". The kernel describes online CPUs only: all domains of an offline CPU are -1.
 *
 * @param id the kernel's number
 * @param core number of the core; never -1 for an online CPU
 * @param thread index of this CPU among the online CPUs of its core, from 0
 * @param cluster group of several cores that share a level below the L3 cache: four E-cores of Intel, cores of Arm's big.LITTLE; -1 if a
 *     cluster would be a single core
 * @param pkg the socket; never -1 for an online CPU
 * @param node the memory node, by the kernel's number: {@link MemoryNode#id}
 * @param capacity relative speed from 1 to 1024, where 1024 is the fastest CPU of the machine; the first figure that differs between CPUs:
 *     the kernel's {@code cpu_capacity}, ACPI CPPC's highest performance, the maximum frequency
 * @param maxFrequencyKhz maximum frequency in kHz; 0: unknown
 * @param isolated true if the scheduler moves no thread there by itself: kernel parameter isolcpus, or an isolated partition of cgroups
 *     ({@link Topology#isolating})
 * @param nohzFull true if the timer tick stops while one thread runs: kernel parameter nohz_full
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
