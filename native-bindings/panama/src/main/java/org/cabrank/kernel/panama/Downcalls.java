package org.cabrank.kernel.panama;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Links the functions that jextract found, and invokes them.
 *
 * <p>Every function but one ({@link WideDowncalls}) is linked in one shape: six {@code long} parameters and a {@code long}
 * result.
 *
 * <ul>
 *   <li>Linking costs 4 to 5 ms for every new shape and 0.1 ms for every further function of the same shape (measured
 *       on Temurin 25); the sixteen calls of an echo server have eleven shapes.
 *   <li>A pointer goes in as a {@code long}, as {@link org.cabrank.kernel.Kernel} has it: no {@link MemorySegment} is
 *       made for a call.
 *   <li>Parameters that a function does not have cost less than a nanosecond (measured: 9 ns against 8).
 * </ul>
 *
 * <p>The calling conventions of both ABIs allow it. The first six integer or pointer arguments travel in a register
 * each, an {@code int} is read from the lower half of its register, and a register that a function has no parameter for
 * is scratch to it. An {@code int} result fills the lower half of the result register: {@link #call} cuts it off.
 */
final class Downcalls {
    private static final int PARAMETERS_MAX = 6;

    private static final FunctionDescriptor SHAPE =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private static final FunctionDescriptor WIDE_SHAPE = SHAPE.appendArgumentLayouts(JAVA_LONG);

    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private Downcalls() {}

    /** Returns the address of a function of the threads library. */
    static MemorySegment threadFunction(String name) {
        return threadFunction(Linker.nativeLinker().defaultLookup(), name);
    }

    /**
     * Returns the address of a function that glibc had in libpthread until 2.34. The JVM's own look-up names libc, libm and
     * libdl. The JVM itself needs libpthread there, so it is loaded.
     */
    static MemorySegment threadFunction(SymbolLookup library, String name) {
        return library.find(name)
                .orElseGet(() -> SymbolLookup.libraryLookup("libpthread.so.0", Arena.global())
                        .find(name)
                        .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name)));
    }

    /** A handle of a function that may block. */
    static MethodHandle link(MemorySegment address, FunctionDescriptor descriptor) {
        checkFits(descriptor);
        return Linker.nativeLinker().downcallHandle(address, SHAPE, CAPTURE);
    }

    /**
     * A handle of a function that never blocks: the thread does not tell the JVM that it has left Java, which saves
     * most of the call's cost, and keeps the JVM from reaching a safepoint until it is back.
     */
    static MethodHandle linkCritical(MemorySegment address, FunctionDescriptor descriptor) {
        checkFits(descriptor);
        return Linker.nativeLinker().downcallHandle(address, SHAPE, CAPTURE, Linker.Option.critical(false));
    }

    /**
     * A handle, in a shape of seven {@code long} parameters, of a function that may block. What is beyond the registers
     * goes where the calling convention has it, and a function that has no parameter there does not look: on x86-64 the
     * seventh is on the stack.
     */
    static MethodHandle linkWide(MemorySegment address, FunctionDescriptor descriptor) {
        checkFits(descriptor);
        return Linker.nativeLinker().downcallHandle(address, WIDE_SHAPE, CAPTURE);
    }

    /** Calls a function that returns an {@code int}, or a count that fits one: the result, or {@code -errno}. */
    static int call(MethodHandle handle, long a, long b, long c, long d, long e, long f) {
        // Short enough that the JIT inlines it into every caller, where the handle is a constant, and not by way of
        // invoke: the FFM API nests some ten calls deep, and what the JIT does not inline there allocates. It stops at
        // 15 levels, counted from the caller's loop.
        try {
            int result = (int) (long) handle.invokeExact(ErrnoCapture.segment(), a, b, c, d, e, f);
            return result >= 0 ? result : -ErrnoCapture.errno();
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /** Calls a function that returns an address: the result, or {@code -errno}. */
    static long callForAddress(MethodHandle handle, long a, long b, long c, long d, long e, long f) {
        long result = invoke(handle, a, b, c, d, e, f);
        return result != -1 ? result : -ErrnoCapture.errno();
    }

    /** Calls a function that returns an error number itself, as those of pthreads do: its negation. */
    static int callForError(MethodHandle handle, long a, long b, long c, long d, long e, long f) {
        return -(int) invoke(handle, a, b, c, d, e, f);
    }

    private static long invoke(MethodHandle handle, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) handle.invokeExact(ErrnoCapture.segment(), a, b, c, d, e, f);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /** Converts an exception of a method handle; downcalls throw none. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a downcall threw", thrown);
    }

    private static void checkFits(FunctionDescriptor descriptor) {
        if (descriptor.argumentLayouts().size() > PARAMETERS_MAX
                || !descriptor.argumentLayouts().stream().allMatch(Downcalls::fitsRegister)
                || !descriptor.returnLayout().map(Downcalls::fitsRegister).orElse(true)) {
            throw new IllegalArgumentException("does not fit the shape that all calls share: " + descriptor);
        }
    }

    private static boolean fitsRegister(MemoryLayout layout) {
        return layout instanceof AddressLayout
                || layout instanceof ValueLayout.OfInt
                || layout instanceof ValueLayout.OfLong;
    }
}
