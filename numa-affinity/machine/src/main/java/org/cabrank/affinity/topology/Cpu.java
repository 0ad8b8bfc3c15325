package org.cabrank.affinity.topology;

import java.util.Objects;

/**
 * A CPU as the kernel defines it: a hardware thread. Its core, cluster, caches and package are called domains. The domains of each type are
 * numbered from 0 in the order of their lowest CPUs, not by the kernel's numbers. -1 means that a domain is unknown or does not exist. All
 * domains of an offline CPU are -1, because the kernel describes only online CPUs.
 *
 * @param id the kernel's number
 * @param core number of the core; never -1 for an online CPU
 * @param thread index of this CPU among the online CPUs of its core, from 0
 * @param cluster several cores that share a level below the L3 cache, such as four E-cores of Intel. -1 for a single core
 * @param pkg the socket; never -1 for an online CPU
 * @param node the memory node, by the kernel's number: {@link MemoryNode#id}
 * @param capacity relative speed from 1 to 1024. The fastest CPU of the machine has 1024. The source is {@code cpu_capacity} of the kernel,
 *     ACPI CPPC's highest performance, or the maximum frequency. The first of these that differs between CPUs is used
 * @param maxFrequencyKhz maximum frequency in kHz, or 0 if it is unknown
 * @param isolated true if the scheduler does not move threads to this CPU (isolcpus, or an isolated partition: {@link Topology#isolating})
 * @param nohzFull true if the timer tick stops while only one thread runs (kernel parameter nohz_full)
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
