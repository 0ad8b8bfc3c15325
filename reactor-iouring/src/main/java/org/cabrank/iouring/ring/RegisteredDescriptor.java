package org.cabrank.iouring.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringRsrcUpdate;

/**
 * The descriptor of a ring, registered for the calling thread (IORING_REGISTER_RING_FDS, Linux 5.18). A system call then names the ring by
 * an index, without a look-up of the descriptor. The registration keeps the ring alive until the thread ends, like an open descriptor.
 */
public final class RegisteredDescriptor {
    private static final int ANY_INDEX = -1;

    private final Kernel kernel;
    private final int fd;
    private final int index;

    public RegisteredDescriptor(Kernel kernel, int fd, int index) {
        this.kernel = kernel;
        this.fd = fd;
        this.index = index;
    }

    /** Returns null if the kernel does not know the call, or if the thread already has 16 entries. */
    static RegisteredDescriptor register(Kernel kernel, int fd) {
        ByteBuffer update = update(ANY_INDEX);
        update.putLong(IoUringRsrcUpdate.DATA_OFFSET, fd);
        int count = register(kernel, fd, IoUring.IORING_REGISTER_RING_FDS, update);
        return count == 1 ? new RegisteredDescriptor(kernel, fd, update.getInt(IoUringRsrcUpdate.OFFSET_OFFSET)) : null;
    }

    private static ByteBuffer update(int index) {
        ByteBuffer update =
                ByteBuffer.allocateDirect(IoUringRsrcUpdate.SIZE_BYTES).order(ByteOrder.nativeOrder());
        update.putInt(IoUringRsrcUpdate.OFFSET_OFFSET, index);
        return update;
    }

    int index() {
        return index;
    }

    /** Called by the registering thread before the descriptor is closed. */
    public void unregister() {
        register(kernel, fd, IoUring.IORING_UNREGISTER_RING_FDS, update(index));
    }

    private static int register(Kernel kernel, int fd, int opcode, ByteBuffer update) {
        return NativeArgument.pass(kernel, update, address -> kernel.ioUringRegister(fd, opcode, address, 1));
    }
}
