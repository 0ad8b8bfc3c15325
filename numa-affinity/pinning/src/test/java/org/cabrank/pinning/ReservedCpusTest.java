package org.cabrank.pinning;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.fixture.MachineFixture;
import org.cabrank.affinity.fixture.MachineText;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.reservation.CpuReservation;
import org.cabrank.affinity.reservation.CpuReservations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Placements beside the reservations of another service. */
class ReservedCpusTest {
    private static final CpuList MASK = CpuList.parse("0-3");

    @TempDir
    private Path directory;

    /** Plans two shards on a machine whose CPUs 4-7 are isolated, and of which another service has reserved CPUs 4-5. */
    private PlacementPlan besideAnother(String placement) throws Exception {
        MachineFixture machine =
                MachineText.write("cpus 0-7\nisolated 4-7\nl3 0-7\nnode 0 0-7 8192", directory.resolve("machine"));
        ProcessLimits limits = new ProcessLimits(
                MASK,
                CpuList.of(),
                CpuList.of(),
                ProcessLimits.NO_QUOTA,
                4,
                MASK,
                CpuList.of(),
                CpuList.of(),
                List.of());
        CpuReservations reservations = CpuReservations.in(directory.resolve("locks"));
        try (CpuReservation another = reservations.reserve(CpuList.parse("4-5"), "another service")) {
            assertEquals(CpuList.parse("4-5"), another.cpus());
            MachineSnapshot left = new ReservedCpus(reservations, machine.topology()).remaining(limits);
            return Placement.parse(placement).plan(left.topology(), left.limits(), 2, 1, false);
        }
    }

    @Test
    void isolatedLeavesOutCpusThatAnotherServiceHasReserved() throws Exception {
        assertEquals(CpuList.parse("6-7"), besideAnother("isolated").cpus());
    }

    @Test
    void listLeavesOutIsolatedCpusThatAnotherServiceHasReserved() throws Exception {
        assertEquals(CpuList.parse("6"), besideAnother("4-6").cpus());
    }
}
