package org.cabrank.kernel;

/**
 * The two native calls that a binding makes; every system call of {@link Kernel} is one of them. Integers and pointers are {@code long}: on
 * x86-64 and aarch64 each of the first six arguments is passed in its own register, and a function ignores registers beyond its parameters.
 * Unused arguments are 0.
 */
public interface NativeCalls {

    /** Calls a function of the C library. Returns its result (an {@code int} is in the lower half), or {@code -errno} if it returned -1. */
    long call(CFunction function, long a, long b, long c, long d, long e, long f);

    /** Makes a system call by its number. Returns the result or {@code -errno}. */
    long call(SystemCall made, long a, long b, long c, long d, long e, long f);
}
