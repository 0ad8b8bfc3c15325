package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.affinity.placement.PlacementException;
import org.cabrank.affinity.reservation.CpuReservationException;
import org.cabrank.affinity.reservation.CpuReservations;
import org.cabrank.pinning.MachineSnapshot;
import org.cabrank.pinning.PlacementSettings;
import org.cabrank.pinning.PlannedPlacement;
import org.cabrank.pinning.ReservedCpus;
import org.cabrank.stream.ThreadPlacement;
import picocli.CommandLine.Option;

final class PinningOptions {
    /** Maximum number of shards in the printed plan. 'cabrank topology --placement' prints all. */
    private static final int SHARD_LINES_MAX = 16;

    static final String STRICT = "--set serve.strictPlacement";
    private static final String RESERVE = "--set serve.reserveCpus";

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

    private PlannedPlacement planned;

    private PlacementSettings settings() {
        if (placement != null && cpus != null) {
            throw new IllegalArgumentException("--cpus and --placement exclude each other: leave one out");
        }
        if (cpus == null && placement == null) {
            return PlacementSettings.NONE;
        }
        return PlacementSettings.of(cpus != null ? Placement.on(cpus) : placement);
    }

    String text() {
        PlacementSettings settings = settings();
        return settings.isPinned() ? "placement " + settings.placement() : "not pinned (no --placement)";
    }

    /** Plans a placement and prints the plan. {@code threadsPerShard} is 0 if the shards add threads when needed. */
    ThreadPlacement place(int shards, int threadsPerShard, ServeSettings wanted, PrintWriter out) {
        PlacementSettings settings = settings();
        boolean reserves = !wanted.reserveCpus().isEmpty();
        if (!settings.isPinned() && (wanted.strictPlacement() || reserves)) {
            throw new IllegalArgumentException((reserves ? RESERVE : STRICT)
                    + " is for --placement or --cpus: leave it out, or choose one of them");
        }
        boolean wrong = shards < 1 || threadsPerShard < 0; // other code refuses these values
        if (!settings.isPinned() || wrong) {
            return ThreadPlacement.NONE;
        }
        try {
            MachineSnapshot snapshot = MachineSnapshot.ofThisMachine(CommandMachine.kernel());
            ReservedCpus others = reserves ? others(wanted.reserveCpus(), snapshot, out) : null;
            planned = PlannedPlacement.of(
                    settings.withStrict(wanted.strictPlacement()),
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
            throw new Failure(RESERVE + ": " + refused.getMessage(), refused);
        } catch (PlacementException refused) {
            throw new Failure(
                    (cpus != null ? "--cpus " : "--placement ") + settings.placement() + ": " + refused.getMessage()
                            + " (" + STRICT + ")",
                    refused);
        }
    }

    private static ReservedCpus others(String directory, MachineSnapshot snapshot, PrintWriter out)
            throws CpuReservationException {
        ReservedCpus others = new ReservedCpus(
                directory.equals(ServeSettings.HOST)
                        ? CpuReservations.ofThisHost()
                        : CpuReservations.in(Path.of(directory)),
                snapshot.topology());
        others.descriptions().forEach(out::println);
        if (others.remaining(snapshot.limits()).limits().usable().isEmpty()) {
            throw new Failure(RESERVE + ": others have reserved every CPU that this process may use: "
                    + String.join("; ", others.descriptions()) + "; end one of them, or start without it");
        }
        return others;
    }

    void whenLost(Consumer<String> action) {
        if (planned != null) {
            planned.whenLost(action);
        }
    }
}
