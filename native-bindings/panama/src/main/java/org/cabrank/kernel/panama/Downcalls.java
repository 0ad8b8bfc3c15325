package org.cabrank.kernel.panama;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * Links functions of the C library, all with the same shape: seven {@code long} parameters and a {@code long} result. Reasons:
 *
 * <ul>
 *   <li>Linking costs 4 to 5 ms for every new shape and 0.1 ms for every further function of the same shape (measured on Temurin 25); the
 *       sixteen functions that an echo server calls have eleven shapes.
 *   <li>A pointer is a {@code long}, as in {@link org.cabrank.kernel.Kernel}: no {@link MemorySegment} is made for a call.
 *   <li>The surplus parameters cost less than a nanosecond for each call (measured: 9 ns instead of 8).
 * </ul>
 *
 * <p>The calling conventions of both ABIs allow this. Each of the first six integer or pointer arguments is in a register, an {@code int}
 * is read from the lower half of its register, and a function ignores registers beyond its parameters. The seventh argument, which only
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
     * Returns the address of a function that was in libpthread before glibc 2.34. The default look-up of the JVM searches only libc, libm
     * and libdl. With these versions libpthread is loaded, because the JVM itself needs it.
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
     * Links a function that never blocks: the call has no thread transition. This saves most of the cost of the call, but delays safepoints
     * until the function returns.
     */
    static MethodHandle linkCritical(MemorySegment address) {
        return Linker.nativeLinker().downcallHandle(address, SHAPE, CAPTURE, Linker.Option.critical(false));
    }

    /** Converts an exception of a method handle. A downcall never throws. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a downcall threw", thrown);
    }
}
