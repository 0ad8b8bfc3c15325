package org.cabrank.kernel;

/** Checks that one way of calling the kernel works here. Found by {@link java.util.ServiceLoader}. */
public interface KernelProvider {

    /** The name that {@code -Dcabrank.kernel} takes. */
    String name();

    /** Providers are tried from the lowest rank to the highest. */
    int rank();

    /** Links the calls and makes one of them, so that the returned kernel is known to work. Otherwise throws, with a reason for users. */
    Kernel open() throws KernelUnavailableException;
}
