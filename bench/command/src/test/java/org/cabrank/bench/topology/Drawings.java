package org.cabrank.bench.topology;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.cabrank.affinity.fixture.Machine;
import org.cabrank.affinity.fixture.MachineFixture;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.affinity.placement.PlacementException;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.bench.text.Colours;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.pinning.MachineSnapshot;

/** Machines that are not here, and plans for them. */
final class Drawings {
    static final Colours PLAIN = new Colours(false);

    private Drawings() {}

    /** Returns all machines, outside a soak without the largest, which takes seconds. */
    static Stream<Machine> machines() {
        boolean soak = Long.getLong("cabrank.soak.seconds") != null;
        return Stream.of(Machine.values()).filter(machine -> soak || machine != Machine.CPUS_1536);
    }

    static MachineSnapshot of(Machine machine, Path directory) throws KernelUnavailableException {
        return of(machine.in(directory));
    }

    static MachineSnapshot of(MachineFixture machine) throws KernelUnavailableException {
        return MachineSnapshot.read(Kernels.system(), machine.sysfs(), machine.procfs());
    }

    static PlacementPlan plan(MachineSnapshot snapshot, String placement, int shards, int threads)
            throws PlacementException {
        return Placement.parse(placement).plan(snapshot.topology(), snapshot.limits(), shards, threads, false);
    }
}
