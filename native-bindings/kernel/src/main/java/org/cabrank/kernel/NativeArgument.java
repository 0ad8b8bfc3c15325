package org.cabrank.kernel;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.function.LongToIntFunction;

/**
 * A direct buffer as an argument of one call to the kernel.
 *
 * <p>An address does not keep the memory of a buffer alive. After the last use of the buffer in Java, the garbage collector may free the
 * memory, even while the kernel reads or writes it. Therefore take an address in one of three ways:
 *
 * <ol>
 *   <li>for one call, by {@link #pass};
 *   <li>in the constructor of an object that has the buffer in a field, for the life of the object;
 *   <li>where a lambda is too expensive, in a method that calls {@link Reference#reachabilityFence} for each buffer.
 * </ol>
 */
public final class NativeArgument {
    private NativeArgument() {}

    /**
     * Passes the address of the first byte of a direct buffer to {@code call}. The buffer stays reachable during the call.
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
