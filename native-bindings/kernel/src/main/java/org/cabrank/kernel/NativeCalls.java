package org.cabrank.kernel;

/**
 * The two native calls that a binding makes; every system call of {@link Kernel} is one of them. An integer or a pointer is a
 * {@code long} here: on x86-64 and aarch64 each of the first six arguments travels in a register of its own, and a function does
 * not look at registers beyond its own parameters. Arguments that are not needed are 0.
 */
public interface NativeCalls {

    /**
     * Calls a function of the C library.
     *
     * @return the function's result; an {@code int} result is its lower half; {@code -errno} if the function returned -1
     */
    long call(CFunction function, long a, long b, long c, long d, long e, long f);

    /** Makes a system call by its number. Returns the call's result or {@code -errno}. */
    long call(SystemCall made, long a, long b, long c, long d, long e, long f);
}
