package org.cabrank.kernel;

/** Offers a way of calling the kernel, and checks that it works here. Found by {@link java.util.ServiceLoader}. */
public interface KernelProvider {

    /** The name of the provider for {@code -Dcabrank.kernel}. */
    String name();

    /** Providers are tried from the lowest rank to the highest. */
    int rank();

    /** Links the calls and makes a call, to check that the returned kernel works. If it does not work, throws, with a reason for users. */
    Kernel open() throws KernelUnavailableException;
}
