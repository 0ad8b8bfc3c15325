package org.cabrank.kernel.panama;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * Links functions of the C library, all in one shape: seven {@code long} parameters and a {@code long} result.
 *
 * <ul>
 *   <li>Linking costs 4 to 5 ms for every new shape and 0.1 ms for every further function of the same shape (measured on Temurin 25); the
 *       sixteen calls of an echo server have eleven shapes.
 *   <li>A pointer is a {@code long}, as in {@link org.cabrank.kernel.Kernel}: no {@link MemorySegment} is made for a call.
 *   <li>Parameters that a function does not have cost less than a nanosecond (measured: 9 ns against 8).
 * </ul>
 *
 * <p>The calling conventions of both ABIs allow it. The first six integer or pointer arguments travel in a register each, an {@code int} is
 * read from the lower half of its register, and a function ignores registers beyond its parameters. The seventh argument, which only
 * syscall(2) has, is on the stack on x86-64; other functions do not read it. An {@code int} result is the lower half of its register.
 */
final class Downcalls {
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private Downcalls() {}

    static MemorySegment threadFunction(String name) {
        return threadFunction(Linker.nativeLinker().defaultLookup(), name);
    }

    /**
     * Returns the address of a function that glibc had in libpthread until 2.34. The JVM's own look-up names libc, libm and libdl; the JVM
     * itself needs libpthread there, so it is loaded.
     */
    static MemorySegment threadFunction(SymbolLookup library, String name) {
        return library.find(name)
                .orElseGet(() -> SymbolLookup.libraryLookup("libpthread.so.0", Arena.global())
                        .find(name)
                        .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name)));
    }

    /** Links a function that may block. */
    static MethodHandle link(MemorySegment address) {
        return Linker.nativeLinker().downcallHandle(address, SHAPE, CAPTURE);
    }

    /**
     * Links a function that never blocks: the thread does not tell the JVM that it has left Java, which saves most of the call's cost, and
     * delays safepoints until it is back.
     */
    static MethodHandle linkCritical(MemorySegment address) {
        return Linker.nativeLinker().downcallHandle(address, SHAPE, CAPTURE, Linker.Option.critical(false));
    }

    /** Converts an exception of a method handle; downcalls throw none. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a downcall threw", thrown);
    }
}
