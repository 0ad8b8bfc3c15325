package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.stream.Stream;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;

/**
 * An implementation of {@link Kernel}, or the reason why it is unavailable in this JVM.
 *
 * @param opened null if unavailable
 */
public record TestKernel(String name, Kernel opened, String whyNot) {
    private static final List<TestKernel> ALL =
            Stream.of("panama", "jna").map(TestKernel::open).toList();

    private static TestKernel open(String name) {
        try {
            return new TestKernel(name, Kernels.named(name), null);
        } catch (KernelUnavailableException none) {
            return new TestKernel(name, null, none.getMessage());
        }
    }

    public static List<TestKernel> all() {
        return ALL;
    }

    /** The first that works: for tests that are not about the way of calling. */
    public static Kernel any() {
        return anyTestKernel().opened;
    }

    /** As {@link #any}. */
    public static TestKernel anyTestKernel() {
        return ALL.stream().filter(each -> each.opened != null).findFirst().orElseThrow();
    }

    /** The kernel. Skips the test, with the reason, if the kernel is unavailable. */
    public Kernel kernel() {
        assumeTrue(opened != null, () -> name + " is not to be had: " + whyNot);
        return opened;
    }
}
