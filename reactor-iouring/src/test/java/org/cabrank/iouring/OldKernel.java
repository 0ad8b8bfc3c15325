package org.cabrank.iouring;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringBufReg;
import org.cabrank.kernel.layout.IoUringParams;
import org.cabrank.kernel.layout.IoUringProbe;

/** Knows no more of io_uring than a kernel of that version, and asks the present one for that. */
public final class OldKernel extends AccountingKernel {
    /** Versions of the kernel, each with the features that are younger. */
    public enum Version {
        LINUX_5_4(IoUring.IORING_SETUP_CQSIZE - 1, 1, 10, 30, false),
        LINUX_5_10(IoUring.IORING_SETUP_SUBMIT_ALL - 1, IoUring.IORING_FEAT_EXT_ARG - 1, 13, 34, false),
        LINUX_5_15(IoUring.IORING_SETUP_SUBMIT_ALL - 1, IoUring.IORING_FEAT_CQE_SKIP - 1, 20, 40, false),
        LINUX_5_19(IoUring.IORING_SETUP_SINGLE_ISSUER - 1, IoUring.IORING_FEAT_LINKED_FILE * 2 - 1, 24, 47, false),
        LINUX_6_0(IoUring.IORING_SETUP_DEFER_TASKRUN - 1, IoUring.IORING_FEAT_LINKED_FILE * 2 - 1, 25, 48, false),
        LINUX_6_1(IoUring.IORING_SETUP_NO_MMAP - 1, IoUring.IORING_FEAT_LINKED_FILE * 2 - 1, 26, 49, false),
        LINUX_6_6(IoUring.IORING_SETUP_NO_SQARRAY * 2 - 1, IoUring.IORING_FEAT_RECVSEND_BUNDLE - 1, 26, 51, false),
        LINUX_6_12(IoUring.IORING_SETUP_NO_SQARRAY * 2 - 1, IoUring.IORING_FEAT_MIN_TIMEOUT * 2 - 1, 31, 58, true);

        private final int setupFlags;
        private final int features;
        private final int registerOpcodes;
        private final int opcodes;
        private final boolean incremental;

        Version(int setupFlags, int features, int registerOpcodes, int opcodes, boolean incremental) {
            this.setupFlags = setupFlags;
            this.features = features;
            this.registerOpcodes = registerOpcodes;
            this.opcodes = opcodes;
            this.incremental = incremental;
        }
    }

    private final Version version;

    public OldKernel(Kernel next, Version version) {
        super(next);
        this.version = version;
    }

    @Override
    public int ioUringSetup(int entries, long params) {
        ByteBuffer known = viewOf(params, IoUringParams.SIZE_BYTES);
        if ((known.getInt(IoUringParams.FLAGS_OFFSET) & ~version.setupFlags) != 0) {
            return -Errno.EINVAL;
        }
        int fd = super.ioUringSetup(entries, params);
        known.putInt(IoUringParams.FEATURES_OFFSET, known.getInt(IoUringParams.FEATURES_OFFSET) & version.features);
        return fd;
    }

    @Override
    public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
        boolean unknown = (flags & IoUring.IORING_ENTER_NO_IOWAIT) != 0
                && (version.features & IoUring.IORING_FEAT_NO_IOWAIT) == 0;
        return unknown ? -Errno.EINVAL : super.ioUringEnter(fd, toSubmit, minComplete, flags, arg, argBytes);
    }

    @Override
    public int ioUringRegister(int fd, int opcode, long arg, int count) {
        if (opcode >= version.registerOpcodes) {
            return fd < 0 ? -Errno.EBADF : -Errno.EINVAL;
        }
        if (opcode == IoUring.IORING_REGISTER_PBUF_RING && !version.incremental) {
            ByteBuffer wish = viewOf(arg, IoUringBufReg.SIZE_BYTES);
            if ((wish.getShort(IoUringBufReg.FLAGS_OFFSET) & IoUring.IOU_PBUF_RING_INC) != 0) {
                return -Errno.EINVAL;
            }
        }
        int result = super.ioUringRegister(fd, opcode, arg, count);
        if (opcode == IoUring.IORING_REGISTER_PROBE && result >= 0) {
            ByteBuffer probe = viewOf(arg, IoUringProbe.OPS_OFFSET);
            probe.put(IoUringProbe.OPS_LEN_OFFSET, (byte) version.opcodes);
            probe.put(IoUringProbe.LAST_OP_OFFSET, (byte) (version.opcodes - 1));
        }
        return result;
    }
}
