package org.cabrank.kernel.jna;

import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelProvider;
import org.cabrank.kernel.KernelUnavailableException;

/** Offers {@link JnaKernel}, for a JVM that has no better way. */
public final class JnaKernelProvider implements KernelProvider {
    static final String NAME = "jna";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int rank() {
        return 10;
    }

    @Override
    public Kernel open() throws KernelUnavailableException {
        Kernel kernel = new JnaKernel();
        int result = closeNothing(kernel);
        if (result != -Errno.EBADF) {
            throw new KernelUnavailableException("closing descriptor -1 returned " + result + " where the kernel says "
                    + Errno.describe(Errno.EBADF));
        }
        return kernel;
    }

    // A call that must fail shows that calls get through and that their errors come back.
    private static int closeNothing(Kernel kernel) throws KernelUnavailableException {
        try {
            return kernel.close(-1);
        } catch (LinkageError | RuntimeException e) {
            // JNA unpacks a library of its own first: a temporary directory that is mounted noexec ends here.
            Throwable cause = e instanceof ExceptionInInitializerError ? e.getCause() : e;
            throw new KernelUnavailableException("JNA cannot link the C library: " + cause, e);
        }
    }
}
