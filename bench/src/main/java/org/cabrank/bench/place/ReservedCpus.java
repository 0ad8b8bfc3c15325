package org.cabrank.bench.place;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.reservation.CpuReservation;
import org.cabrank.affinity.reservation.CpuReservationException;
import org.cabrank.affinity.reservation.CpuReservations;
import org.cabrank.affinity.reservation.Holder;
import org.cabrank.affinity.topology.Topology;

/**
 * Keeps a plan off the cores that other services of this host have reserved, and reserves those that it uses. A core is
 * reserved as a whole, with all its hardware threads: what runs on one of them slows the others down.
 */
public final class ReservedCpus {
    private final CpuReservations reservations;
    private final Topology topology;
    private final SortedMap<Integer, Holder> taken;

    /** @throws CpuReservationException when it cannot be found out who has reserved what */
    public ReservedCpus(CpuReservations reservations, Topology topology) throws CpuReservationException {
        this.reservations = reservations;
        this.topology = topology;
        this.taken = reservations.holders(topology.online());
    }

    /** What is left of the limits: without the CPUs of others. */
    public Surroundings remaining(ProcessLimits limits) {
        return new Surroundings(topology, limits.withReserved(takenCpus()));
    }

    /** For people: a line for each of the others; empty when there are none. */
    public List<String> words() {
        return byHolder().entrySet().stream()
                .map(entry -> "CPU "
                        + CpuList.of(entry.getValue().stream()
                                .mapToInt(Integer::intValue)
                                .toArray())
                        + " is reserved by " + entry.getKey() + ": left out")
                .toList();
    }

    private SortedMap<String, List<Integer>> byHolder() {
        return taken.keySet().stream()
                .collect(Collectors.groupingBy(cpu -> taken.get(cpu).toString(), TreeMap::new, Collectors.toList()));
    }

    /**
     * Reserves these CPUs and the others of their cores, until the process ends.
     *
     * @param name says to others who has them
     * @throws CpuReservationException when somebody was quicker
     */
    public CpuReservation reserve(CpuList cpus, String name) throws CpuReservationException {
        CpuList cores = cpus;
        for (int cpu : cpus.cpus().toArray()) {
            cores = cores.union(topology.smtSiblings(cpu));
        }
        return reservations.reserve(cores, name);
    }

    private CpuList takenCpus() {
        return CpuList.of(taken.keySet().stream().mapToInt(Integer::intValue).toArray());
    }
}
