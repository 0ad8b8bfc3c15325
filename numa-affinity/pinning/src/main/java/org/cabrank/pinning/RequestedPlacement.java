package org.cabrank.pinning;

import java.util.Objects;
import java.util.function.Consumer;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.affinity.placement.PlacementException;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.ThreadPlacement;

/**
 * Placement of the threads of a stream reactor. When a reactor starts, the placement makes a plan for its numbers of shards and threads. If
 * the reactor has no number of shards, the plan has as many as the machine has places for. Immutable, and usable for several reactors.
 *
 * <pre>{@code
 * StreamServer.builder()
 *         .placement(RequestedPlacement.of(Placement.CORES)) // a shard for each core
 * }</pre>
 *
 * <p>{@link PlannedPlacement} describes the effect on threads and memory. In the accept modes that depend on the CPU, accepted connections
 * go to the shard on whose CPUs they arrive ({@link ThreadPlacement#cpus}). If all shards share the threads of the reactor, these threads
 * are placed like the threads of one shard.
 */
public final class RequestedPlacement implements ThreadPlacement {
    private final PlacementSettings settings;
    private final Consumer<? super PlannedPlacement> whenPlanned;

    private RequestedPlacement(PlacementSettings settings, Consumer<? super PlannedPlacement> whenPlanned) {
        this.settings = settings;
        this.whenPlanned = whenPlanned;
    }

    /** @param placement any placement, such as {@code Placement.CORES.ofKind(CoreKind.PERFORMANCE)} or {@code Placement.parse(setting)} */
    public static RequestedPlacement of(Placement placement) {
        return new RequestedPlacement(PlacementSettings.of(placement), plan -> {});
    }

    /** Returns a strict placement. If it is unavailable, the reactor throws a {@link PlacementRefusedException} instead of starting. */
    public RequestedPlacement strict() {
        return new RequestedPlacement(settings.withStrict(true), whenPlanned);
    }

    /** Returns a placement that calls {@code action} with the plan of each reactor before the reactor's threads start. */
    public RequestedPlacement whenPlanned(Consumer<? super PlannedPlacement> action) {
        return new RequestedPlacement(settings, Objects.requireNonNull(action, "action"));
    }

    @Override
    public ThreadPlacement planned(int shards, int threads) {
        try {
            Kernel kernel = Kernels.system();
            PlannedPlacement planned =
                    PlannedPlacement.of(settings, kernel, MachineSnapshot.ofThisMachine(kernel), shards, threads);
            whenPlanned.accept(planned);
            return planned;
        } catch (KernelUnavailableException | PlacementException refused) {
            throw new PlacementRefusedException(
                    "the placement " + settings.placement() + ": " + refused.getMessage(), refused);
        }
    }

    @Override
    public void place(int shard, int thread) {
        throw new IllegalStateException("the placement " + settings.placement()
                + " was not planned: give it to the builder of a reactor, or plan it with PlannedPlacement.of");
    }

    @Override
    public boolean isStrict() {
        return settings.strict();
    }

    @Override
    public String toString() {
        return settings.placement().toString();
    }
}
