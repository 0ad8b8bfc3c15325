package org.cabrank.kernel;

/** Finds out whether one way of calling the kernel works here. Found by {@link java.util.ServiceLoader}. */
public interface KernelProvider {

    /** The name that {@code -Dcabrank.kernel} takes. */
    String name();

    /** Providers are tried from the lowest rank to the highest. */
    int rank();

    /**
     * Links the calls and makes one of them, so that the returned kernel is known to work.
     *
     * @throws KernelUnavailableException with the reason, worded for users
     */
    Kernel open() throws KernelUnavailableException;
}
