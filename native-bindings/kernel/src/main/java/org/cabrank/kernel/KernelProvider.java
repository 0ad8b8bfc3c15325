package org.cabrank.kernel;

/** Opens one kind of kernel binding, if it works on this machine. {@link java.util.ServiceLoader} finds the providers. */
public interface KernelProvider {

    /** The name of the provider for {@code -Dcabrank.kernel}. */
    String name();

    /** Providers are tried from the lowest rank to the highest. */
    int rank();

    /**
     * Links the calls, and makes one call to check that the kernel works.
     *
     * @throws KernelUnavailableException if the kernel does not work; the message has a reason for users
     */
    Kernel open() throws KernelUnavailableException;
}
