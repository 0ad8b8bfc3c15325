package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.util.function.Consumer;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.affinity.placement.PlacementException;
import org.cabrank.affinity.reservation.CpuReservationException;
import org.cabrank.pinning.MachineSnapshot;
import org.cabrank.pinning.PlacementSettings;
import org.cabrank.pinning.PlannedPlacement;
import org.cabrank.pinning.ReservedCpus;
import org.cabrank.stream.ThreadPlacement;
import picocli.CommandLine.Option;

/** Flags for the placement of a server's shards and threads. */
final class PinningOptions {
    /** Named bound; 'cabrank topology --placement' shows all. */
    private static final int SHARD_LINES_MAX = 16;

    @Option(
            names = "--placement",
            paramLabel = "WHERE",
            converter = Converters.Placements.class,
            completionCandidates = Converters.Placements.class,
            description =
                    "CPUs of the shards: ${COMPLETION-CANDIDATES}. Default none; 'cabrank topology' shows the plan.")
    private Placement placement;

    @Option(
            names = "--cpus",
            paramLabel = "LIST",
            converter = Converters.Cpus.class,
            description = "Pins pool threads to these CPUs, such as 0-3,8: those of one shard to each in turn, those of"
                    + " several to the shard's share of them. The same as --placement LIST.")
    private CpuList cpus;

    @Option(
            names = "--strict-placement",
            description =
                    "Refuses to start where the placement cannot be had as asked for, and ends when it is lost (a CPU"
                            + " taken offline, a smaller cpuset), instead of doing what comes nearest and saying so.")
    private boolean strict;

    private PlannedPlacement planned;

    PlacementSettings settings() {
        if (placement != null && cpus != null) {
            throw new IllegalArgumentException("--cpus and --placement exclude each other: leave one out");
        }
        if (strict && placement == null && cpus == null) {
            throw new IllegalArgumentException(
                    "--strict-placement is for --placement or --cpus: leave it out, or choose one of them");
        }
        if (cpus == null && placement == null) {
            return PlacementSettings.NONE;
        }
        return PlacementSettings.of(cpus != null ? Placement.on(cpus) : placement)
                .withStrict(strict);
    }

    /**
     * Plans a placement, prints the plan, and returns the object that pins the threads.
     *
     * @param threadsPerShard 0: shards grow
     * @param reserveIn directory of reservations, to avoid reserved CPUs and to reserve the planned ones; null: ignores
     *     reservations
     * @throws IllegalArgumentException if the flags contradict each other
     * @throws Failure if a strict placement is unavailable
     */
    ThreadPlacement place(
            int shards,
            int threadsPerShard,
            MachineRoots roots,
            Converters.ReservationDirectory reserveIn,
            PrintWriter out) {
        PlacementSettings settings = settings();
        if (reserveIn != null && !settings.isPinned()) {
            throw new IllegalArgumentException(
                    "--reserve-cpus is for --placement or --cpus: leave it out, or choose one of them");
        }
        boolean wrong = shards < 1 || threadsPerShard < 0; // refused where they are checked
        if (!settings.isPinned() || wrong) {
            return ThreadPlacement.NONE;
        }
        try {
            MachineSnapshot snapshot = CommandMachine.snapshot(roots);
            ReservedCpus others = reserveIn == null ? null : others(reserveIn, snapshot, out);
            planned = PlannedPlacement.of(
                    settings,
                    CommandMachine.kernel(),
                    others == null ? snapshot : others.remaining(snapshot.limits()),
                    shards,
                    Math.max(1, threadsPerShard));
            out.print(planned.plan().describe(SHARD_LINES_MAX));
            if (threadsPerShard == 0) {
                out.println("  further threads of a shard run on the same CPUs");
            }
            out.flush();
            if (others != null && !planned.plan().cpus().isEmpty()) {
                others.reserve(planned.plan().cpus(), "cabrank serve");
            }
            return planned;
        } catch (CpuReservationException refused) {
            throw new Failure("--reserve-cpus: " + refused.getMessage(), refused);
        } catch (PlacementException refused) {
            throw new Failure(
                    (cpus != null ? "--cpus " : "--placement ") + settings.placement() + ": " + refused.getMessage()
                            + " (--strict-placement)",
                    refused);
        }
    }

    private static ReservedCpus others(
            Converters.ReservationDirectory reserveIn, MachineSnapshot snapshot, PrintWriter out)
            throws CpuReservationException {
        ReservedCpus others = new ReservedCpus(reserveIn.open(), snapshot.topology());
        others.descriptions().forEach(out::println);
        if (others.remaining(snapshot.limits()).limits().usable().isEmpty()) {
            throw new Failure("--reserve-cpus: others have reserved every CPU that this process may use: "
                    + String.join("; ", others.descriptions()) + "; end one of them, or start without it");
        }
        return others;
    }

    /** See {@link PlannedPlacement#whenLost}; without a placement it is never called. */
    void whenLost(Consumer<String> action) {
        if (planned != null) {
            planned.whenLost(action);
        }
    }
}
