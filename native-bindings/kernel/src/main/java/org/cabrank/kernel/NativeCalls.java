package org.cabrank.kernel;

/**
 * The methods through which a binding calls the kernel. Integers and pointers are {@code long}, because x86-64 and aarch64 pass each of the
 * first six arguments in a register. Unused arguments are 0.
 */
public interface NativeCalls {

    /** Calls a C function. Returns the result, or {@code -errno} for -1. Of an {@code int} result, only the lower half is valid. */
    long call(CFunction function, long a, long b, long c, long d, long e, long f);

    /** Makes a system call by its number. Returns the result or {@code -errno}. */
    long call(SystemCall made, long a, long b, long c, long d, long e, long f);
}
