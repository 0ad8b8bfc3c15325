package org.cabrank.pinning;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.reservation.CpuReservation;
import org.cabrank.affinity.reservation.CpuReservationException;
import org.cabrank.affinity.reservation.CpuReservations;
import org.cabrank.affinity.reservation.Holder;
import org.cabrank.affinity.topology.Topology;

/** CPU reservations of the services on this host. They reserve whole cores, because hardware threads of a core slow each other down. */
public final class ReservedCpus {
    private final CpuReservations reservations;
    private final Topology topology;
    private final SortedMap<Integer, Holder> taken;

    /** @throws CpuReservationException if the reservations cannot be read */
    public ReservedCpus(CpuReservations reservations, Topology topology) throws CpuReservationException {
        this.reservations = reservations;
        this.topology = topology;
        this.taken = reservations.holders(topology.online());
    }

    public MachineSnapshot remaining(ProcessLimits limits) {
        return new MachineSnapshot(topology, limits.withReserved(CpuList.of(taken.keySet())));
    }

    /** Returns one line of text for each service with a reservation. */
    public List<String> descriptions() {
        SortedMap<String, CpuList> byHolder = new TreeMap<>();
        taken.forEach((cpu, holder) -> byHolder.merge(holder.toString(), CpuList.of(cpu), CpuList::union));
        return byHolder.entrySet().stream()
                .map(entry -> "CPU " + entry.getValue() + " is reserved by " + entry.getKey() + ": left out")
                .toList();
    }

    /** Reserves the whole cores of {@code cpus} under {@code name} until the process ends. Throws if a CPU is already reserved. */
    public CpuReservation reserve(CpuList cpus, String name) throws CpuReservationException {
        CpuList cores = cpus;
        for (int cpu : cpus.cpus().toArray()) {
            cores = cores.union(topology.smtSiblings(cpu));
        }
        return reservations.reserve(cores, name);
    }
}
