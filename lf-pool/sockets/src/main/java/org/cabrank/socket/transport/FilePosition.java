package org.cabrank.socket.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;

/** Memory in which a thread passes a position in a file ({@code loff_t}) to the kernel. */
public final class FilePosition {
    private static final ThreadLocal<FilePosition> OF_THREAD = new ThreadLocal<>();

    private final ByteBuffer memory;
    private final long address;

    private FilePosition(Kernel kernel) {
        memory = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        address = kernel.addressOf(memory);
    }

    /** Returns the address of {@code position}; valid until the next call of this method by the thread. */
    public static long addressOf(Kernel kernel, long position) {
        FilePosition own = OF_THREAD.get();
        if (own == null) {
            own = new FilePosition(kernel);
            OF_THREAD.set(own);
        }
        own.memory.putLong(0, position);
        return own.address;
    }
}
