package org.cabrank.kernel.panama;

import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelProvider;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.LinkageFailure;

/** Offers {@link PanamaKernel}, with the best rank, because it is the fastest way to call the kernel. */
public final class PanamaKernelProvider implements KernelProvider {
    static final String NAME = "panama";

    private static final String DENIED_REMEDY =
            "; start the JVM with --enable-native-access=org.cabrank.kernel.panama, or"
                    + " --enable-native-access=ALL-UNNAMED if Cabrank is on the class path";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public Kernel open() throws KernelUnavailableException {
        Kernel kernel = new PanamaKernel();
        int result = closeNothing(kernel);
        if (result != -Errno.EBADF) {
            throw new KernelUnavailableException("closing descriptor -1 returned " + result + " where the kernel says "
                    + Errno.describe(Errno.EBADF));
        }
        return kernel;
    }

    private static boolean isDenied(String cause) {
        return cause.contains("IllegalCallerException");
    }

    // This call must fail with EBADF, which shows that calls and errno work.
    static int closeNothing(Kernel kernel) throws KernelUnavailableException {
        try {
            return kernel.close(-1);
        } catch (LinkageError | RuntimeException e) {
            // The JVM throws these errors with --illegal-native-access=deny, or if the C library lacks a function.
            String cause = LinkageFailure.cause(e);
            throw new KernelUnavailableException(
                    "the FFM API cannot link the C library: " + cause + (isDenied(cause) ? DENIED_REMEDY : ""), e);
        }
    }
}
