package org.cabrank.kernel.panama;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * Links functions of the C library. All have the same shape: seven {@code long} parameters and a {@code long} result. Reasons for this:
 *
 * <ul>
 *   <li>The first function of a shape takes 4 to 5 ms to link, each further function of this shape 0.1 ms (measured on Temurin 25). Without
 *       the common shape, the sixteen functions that an echo server calls would have eleven shapes.
 *   <li>Pointers are {@code long}, so a call creates no {@link MemorySegment}.
 *   <li>The additional parameters cost little: a call takes 9 ns instead of 8 ns (measured).
 * </ul>
 *
 * <p>The calling conventions of both ABIs allow this. The first six integer or pointer arguments are in registers, an {@code int} in the
 * lower half. A function ignores arguments beyond its own. On x86-64 the seventh argument is on the stack, and only syscall(2) reads it.
 */
final class Downcalls {
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private Downcalls() {}

    static MemorySegment threadFunction(String name) {
        return threadFunction(Linker.nativeLinker().defaultLookup(), name);
    }

    /** Before glibc 2.34 the function is in libpthread. The JVM's default look-up does not search that library. */
    static MemorySegment threadFunction(SymbolLookup library, String name) {
        return library.find(name)
                .orElseGet(() -> SymbolLookup.libraryLookup("libpthread.so.0", Arena.global())
                        .find(name)
                        .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name)));
    }

    static MethodHandle link(MemorySegment address) {
        return Linker.nativeLinker().downcallHandle(address, SHAPE, CAPTURE);
    }

    /** Links a function that never blocks. A call makes no thread transition. This saves most of its cost, but delays safepoints. */
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
