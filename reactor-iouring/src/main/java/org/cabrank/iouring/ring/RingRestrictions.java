package org.cabrank.iouring.ring;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringRestriction;
import org.cabrank.kernel.Kernel;

/**
 * The operations and flags that a restricted ring may use once it is enabled: those of this reactor with these options. The
 * kernel answers any other with EACCES.
 */
final class RingRestrictions {
    private final RingOptions options;
    private final RingFeatures features;

    /** Pairs: what is allowed, and an operation or flags. */
    private final List<int[]> allowed = new ArrayList<>();

    private RingRestrictions(RingOptions options, RingFeatures features) {
        this.options = options;
        this.features = features;
    }

    /** Restricts a ring that is not enabled yet. */
    static void apply(Kernel kernel, int fd, RingOptions options, RingFeatures features) throws IOException {
        RingRestrictions restrictions = new RingRestrictions(options, features);
        restrictions.allowRequests();
        restrictions.allowRegistrations();
        restrictions.register(kernel, fd);
    }

    private void allowRequests() {
        for (int opcode : new int[] {
            IoUring.IORING_OP_POLL_ADD,
            IoUring.IORING_OP_ACCEPT,
            IoUring.IORING_OP_RECV,
            IoUring.IORING_OP_SEND,
            IoUring.IORING_OP_SENDMSG,
            IoUring.IORING_OP_RECVMSG,
            IoUring.IORING_OP_ASYNC_CANCEL,
            IoUring.IORING_OP_READ,
            IoUring.IORING_OP_WRITE,
            IoUring.IORING_OP_FSYNC,
            IoUring.IORING_OP_CLOSE
        }) {
            operation(opcode);
        }
        if (options.zeroCopy()) {
            operation(IoUring.IORING_OP_SEND_ZC);
            operation(IoUring.IORING_OP_SENDMSG_ZC);
        }
        int flags = IoUring.IOSQE_CQE_SKIP_SUCCESS | IoUring.IOSQE_BUFFER_SELECT;
        if (options.registeredFiles()) {
            operation(IoUring.IORING_OP_FILES_UPDATE);
            flags |= IoUring.IOSQE_FIXED_FILE;
        }
        allow(IoUring.IORING_RESTRICTION_SQE_FLAGS_ALLOWED, flags);
    }

    /** An operation that the kernel does not know may not be named. */
    private void operation(int opcode) {
        if (features.supports(opcode)) {
            allow(IoUring.IORING_RESTRICTION_SQE_OP, opcode);
        }
    }

    /** The ring is enabled by its thread, after its files and the buffers of streams were registered. */
    private void allowRegistrations() {
        registration(IoUring.IORING_UNREGISTER_PBUF_RING);
        registration(IoUring.IORING_REGISTER_RING_FDS);
        registration(IoUring.IORING_UNREGISTER_RING_FDS);
        if (options.datagramBuffers() > 0) {
            registration(IoUring.IORING_REGISTER_PBUF_RING);
        }
        if (options.registeredFiles()) {
            registration(IoUring.IORING_UNREGISTER_FILES);
        }
        if (features.growsTo() > features.completionEntries()) {
            registration(IoUring.IORING_REGISTER_RESIZE_RINGS);
        }
        if (options.napiStatic()) {
            registration(IoUring.IORING_REGISTER_NAPI);
        }
    }

    private void registration(int opcode) {
        allow(IoUring.IORING_RESTRICTION_REGISTER_OP, opcode);
    }

    private void allow(int what, int value) {
        allowed.add(new int[] {what, value});
    }

    private void register(Kernel kernel, int fd) throws IOException {
        ByteBuffer array = ByteBuffer.allocateDirect(allowed.size() * IoUringRestriction.SIZE_BYTES)
                .order(ByteOrder.nativeOrder());
        for (int i = 0; i < allowed.size(); i++) {
            int at = i * IoUringRestriction.SIZE_BYTES;
            array.putShort(at + IoUringRestriction.OPCODE_OFFSET, (short) allowed.get(i)[0]);
            array.put(at + IoUringRestriction.SQE_OP_OFFSET, (byte) allowed.get(i)[1]);
        }
        int result = kernel.ioUringRegister(
                fd, IoUring.IORING_REGISTER_RESTRICTIONS, kernel.addressOf(array), allowed.size());
        Reference.reachabilityFence(array);
        Errno.check("io_uring_register of RESTRICTIONS", result);
    }
}
