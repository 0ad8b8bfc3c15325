package org.cabrank.kernel;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.function.LongToIntFunction;

/**
 * A direct buffer as an argument of one call to the kernel.
 *
 * <p>An address is a number, which does not keep the memory: when the caller does not use the buffer any more, the garbage collector may
 * free it, even while the kernel reads or writes there. So an address is taken in one of three ways:
 *
 * <ol>
 *   <li>for one call, by {@link #pass};
 *   <li>in the constructor of an object that has the buffer in a field, for the life of that object;
 *   <li>where a lambda is too expensive, in a method that calls {@link Reference#reachabilityFence} for each address.
 * </ol>
 */
public final class NativeArgument {
    private NativeArgument() {}

    /**
     * Returns the result of {@code call} with the address of the first byte of a direct buffer, which stays reachable until then. Any
     * thread.
     *
     * @throws IllegalArgumentException for a buffer on the Java heap
     */
    public static int pass(Kernel kernel, ByteBuffer direct, LongToIntFunction call) {
        try {
            return call.applyAsInt(kernel.addressOf(direct));
        } finally {
            Reference.reachabilityFence(direct);
        }
    }
}
