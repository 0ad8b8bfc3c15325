package org.cabrank.socket.contract;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.stream.contract.Modes;

/** A way to make a handle set and the pool that serves it. */
public record SetMode(TestKernel kernel, SetKind kind, Deactivation deactivation, int threads, Promotion promotion) {
    private static final int SEVERAL = 3;

    /** Every way of calling the kernel, and every kind of pool. */
    public static Stream<SetMode> all(SetKind kind) {
        return over(TestKernel.all(), kind, List.of(Promotion.eager(), Promotion.deferred()));
    }

    /** Every way of calling the kernel; one thread or several: for what does not depend on who is promoted when. */
    public static Stream<SetMode> ofEveryKernel(SetKind kind) {
        return over(TestKernel.all(), kind, List.of(Promotion.eager()));
    }

    /** One thread or several: for what does not depend on the way of calling the kernel either. */
    public static Stream<SetMode> ofAnyKernel(SetKind kind) {
        return over(List.of(TestKernel.anyTestKernel()), kind, List.of(Promotion.deferred()));
    }

    /** One thread over each kernel, in a soak several as well; handles stay armed. For what is asked of a socket. */
    public static Stream<SetMode> few(SetKind kind) {
        return ofEveryKernel(kind)
                .filter(mode -> mode.deactivation == Deactivation.CLAIM)
                .filter(mode -> mode.threads == 1 || Modes.isSoak());
    }

    /** One thread over any kernel, several over each other kernel: for what depends on the network more than on the set. */
    public static Stream<SetMode> ofTheNetwork(SetKind kind) {
        return ofEveryKernel(kind)
                .filter(mode -> mode.deactivation == Deactivation.CLAIM)
                .filter(mode -> mode.threads > 1 == (mode.kernel != TestKernel.anyTestKernel()));
    }

    /** Every way of calling the kernel, and as many threads as may be. */
    public static Stream<SetMode> ofMostThreads(SetKind kind) {
        return ofEveryKernel(kind).filter(mode -> mode.threads > 1 || !kind.isForSeveralThreads());
    }

    /**
     * Modes for sources above a handle, which differ by the way of calling the kernel, but hardly by the pool: one thread, and several with
     * the other deactivation. In a soak all.
     */
    public static Stream<SetMode> differing(SetKind kind) {
        return Modes.isSoak()
                ? all(kind)
                : ofEveryKernel(kind).filter(mode -> mode.threads > 1 == (mode.deactivation == Deactivation.ONESHOT));
    }

    private static Stream<SetMode> over(List<TestKernel> kernels, SetKind kind, List<Promotion> promotions) {
        List<SetMode> modes = new ArrayList<>();
        for (TestKernel kernel : kernels) {
            for (Deactivation deactivation : Deactivation.values()) {
                modes.add(new SetMode(kernel, kind, deactivation, 1, promotions.get(0)));
                if (kind.isForSeveralThreads()) {
                    promotions.forEach(
                            promotion -> modes.add(new SetMode(kernel, kind, deactivation, SEVERAL, promotion)));
                }
            }
        }
        return Modes.sets(modes.stream());
    }

    DescriptorSet open(Kernel over) throws IOException {
        return kind.open(over, deactivation);
    }

    PoolConfig config() {
        return PoolConfig.of(kind.name(), threads).withPromotion(promotion);
    }

    @Override
    public String toString() {
        return kind.name() + " " + kernel.name() + " " + deactivation + " " + threads
                + (threads > 1 ? " " + promotion : "");
    }
}
