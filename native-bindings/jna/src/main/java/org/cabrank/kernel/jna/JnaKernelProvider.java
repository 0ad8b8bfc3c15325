package org.cabrank.kernel.jna;

import java.util.function.Supplier;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelProvider;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.LinkageFailure;

/** Offers {@link JnaKernel}, for a JVM without the FFM API. */
public final class JnaKernelProvider implements KernelProvider {
    static final String NAME = "jna";

    private static final String DENIED_REMEDY = "; start the JVM with --enable-native-access=com.sun.jna, or"
            + " --enable-native-access=ALL-UNNAMED if JNA is on the class path";

    private static final String MISSING_REMEDY =
            "; JNA is missing: add the artifact net.java.dev.jna:jna-jpms to the class path or module path";

    private static final String NOT_EXECUTABLE_REMEDY =
            ": the directory is mounted noexec; " + TemporaryDirectories.REMEDY;

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
        TemporaryDirectories.check(System.getProperties(), System.getenv());
        return checked(JnaKernel::new);
    }

    /** Makes the kernel, and checks it by one call. Fails if JNA is not on the class path, because JNA is first used here. */
    static Kernel checked(Supplier<Kernel> made) throws KernelUnavailableException {
        Kernel kernel;
        int result;
        try {
            kernel = made.get();
            result = kernel.close(-1); // must fail with EBADF, which shows that calls and errno work
        } catch (LinkageError | RuntimeException e) {
            // JNA first unpacks and loads its native library. This fails if the temporary directory is mounted noexec.
            String cause = LinkageFailure.cause(e);
            throw new KernelUnavailableException("JNA cannot link the C library: " + cause + remedy(cause), e);
        }
        if (result != -Errno.EBADF) {
            throw new KernelUnavailableException("closing descriptor -1 returned " + result + " where the kernel says "
                    + Errno.describe(Errno.EBADF));
        }
        return kernel;
    }

    private static String remedy(String cause) {
        if (cause.contains("NoClassDefFoundError: com/sun/jna/")) {
            return MISSING_REMEDY;
        }
        if (cause.contains("failed to map segment")) { // message of dlopen(3) for a library on a noexec file system
            return NOT_EXECUTABLE_REMEDY;
        }
        return cause.contains("IllegalCallerException") ? DENIED_REMEDY : "";
    }
}
