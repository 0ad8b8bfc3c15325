package org.cabrank.iouring.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Memory;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringBufReg;
import org.cabrank.kernel.layout.IoUringParams;
import org.cabrank.kernel.layout.IoUringProbe;

/** Finds the kernel's features by trials with a ring that is not enabled yet. */
final class FeatureProbe {
    private static final int OPCODES_MAX = 256;
    /** Size of the memory for the trial. The tested ring needs one page, and this is a multiple of every page size. */
    private static final int TRIAL_BYTES = 1 << 16;

    private static final int TRIAL_GROUP = 0xffff;

    private static final int TRIAL_ENTRIES = 8;

    private final Kernel kernel;
    private final int fd;

    FeatureProbe(Kernel kernel, int fd) {
        this.kernel = kernel;
        this.fd = fd;
    }

    RingFeatures probe(ByteBuffer params, boolean messageRegister) throws IOException {
        boolean incremental = tryBufferRing(IoUring.IOU_PBUF_RING_INC);
        return new RingFeatures(
                params.getInt(IoUringParams.FLAGS_OFFSET),
                params.getInt(IoUringParams.FEATURES_OFFSET),
                params.getInt(IoUringParams.SQ_ENTRIES_OFFSET),
                params.getInt(IoUringParams.CQ_ENTRIES_OFFSET),
                opcodes(),
                incremental || tryBufferRing(0),
                incremental,
                messageRegister);
    }

    private static ByteBuffer zeroed(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private BitSet opcodes() throws IOException {
        ByteBuffer probe = zeroed(IoUringProbe.OPS_OFFSET + OPCODES_MAX * IoUringProbe.OP_SIZE_BYTES);
        Errno.check(
                "io_uring_register of PROBE",
                NativeArgument.pass(
                        kernel,
                        probe,
                        address -> kernel.ioUringRegister(fd, IoUring.IORING_REGISTER_PROBE, address, OPCODES_MAX)));
        BitSet supported = new BitSet();
        int written = Byte.toUnsignedInt(probe.get(IoUringProbe.OPS_LEN_OFFSET));
        for (int i = 0; i < written; i++) {
            int at = IoUringProbe.OPS_OFFSET + i * IoUringProbe.OP_SIZE_BYTES;
            int flags = probe.getShort(at + IoUringProbe.OP_FLAGS_OFFSET);
            supported.set(
                    Byte.toUnsignedInt(probe.get(at + IoUringProbe.OP_OP_OFFSET)),
                    (flags & IoUring.IO_URING_OP_SUPPORTED) != 0);
        }
        return supported;
    }

    private boolean tryBufferRing(int flags) throws IOException {
        long memory = kernel.mmap(
                0, TRIAL_BYTES, Memory.PROT_READ | Memory.PROT_WRITE, Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS, -1, 0);
        if (memory < 0 && memory >= -Errno.MAX_ERRNO) {
            throw Errno.exception("mmap of " + TRIAL_BYTES + " bytes", (int) memory);
        }
        try {
            return tryBufferRing(flags, memory);
        } finally {
            kernel.munmap(memory, TRIAL_BYTES);
        }
    }

    private boolean tryBufferRing(int flags, long memory) throws IOException {
        ByteBuffer wish = zeroed(IoUringBufReg.SIZE_BYTES);
        wish.putLong(IoUringBufReg.RING_ADDR_OFFSET, memory);
        wish.putInt(IoUringBufReg.RING_ENTRIES_OFFSET, TRIAL_ENTRIES);
        wish.putShort(IoUringBufReg.BGID_OFFSET, (short) TRIAL_GROUP);
        wish.putShort(IoUringBufReg.FLAGS_OFFSET, (short) flags);
        int result = register(IoUring.IORING_REGISTER_PBUF_RING, wish);
        if (result == -Errno.EINVAL) {
            return false;
        }
        Errno.check("io_uring_register of PBUF_RING", result);
        wish.putLong(IoUringBufReg.RING_ADDR_OFFSET, 0);
        wish.putInt(IoUringBufReg.RING_ENTRIES_OFFSET, 0);
        wish.putShort(IoUringBufReg.FLAGS_OFFSET, (short) 0);
        Errno.check("io_uring_register of UNREGISTER_PBUF_RING", register(IoUring.IORING_UNREGISTER_PBUF_RING, wish));
        return true;
    }

    private int register(int opcode, ByteBuffer wish) {
        return NativeArgument.pass(kernel, wish, address -> kernel.ioUringRegister(fd, opcode, address, 1));
    }
}
