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
 * A placement that is planned when a stream reactor starts, for the reactor's number of threads and shards, or with as many shards as the
 * machine has places for. Immutable; each reactor of an instance has a plan of its own.
 *
 * <pre>{@code
 * StreamServer.builder()
 *         .placement(RequestedPlacement.of(Placement.CORES)) // a shard for each core
 * }</pre>
 *
 * <p>{@link PlannedPlacement} describes the effect on threads and memory. {@link ThreadPlacement#cpus} steers accepted connections to the
 * CPUs of a shard in the accept modes that ask for the CPU. Threads that all shards share are placed like the threads of one shard.
 */
public final class RequestedPlacement implements ThreadPlacement {
    private final PlacementSettings settings;
    private final Consumer<? super PlannedPlacement> whenPlanned;

    private RequestedPlacement(PlacementSettings settings, Consumer<? super PlannedPlacement> whenPlanned) {
        this.settings = settings;
        this.whenPlanned = whenPlanned;
    }

    /** Any placement, such as {@code Placement.CORES.ofKind(CoreKind.PERFORMANCE)} or {@code Placement.parse(setting)}. */
    public static RequestedPlacement of(Placement placement) {
        return new RequestedPlacement(PlacementSettings.of(placement), plan -> {});
    }

    /** Has the reactor refuse to start, with a {@link PlacementRefusedException}, if the placement is unavailable. */
    public RequestedPlacement strict() {
        return new RequestedPlacement(settings.withStrict(true), whenPlanned);
    }

    /**
     * Calls {@code action} with the plan of each reactor before its threads start: to log {@link PlannedPlacement#plan}, or to set an
     * action for the loss of a strict placement ({@link PlannedPlacement#whenLost}).
     */
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
