package org.cabrank.iouring.ring;

import org.cabrank.kernel.layout.IoUring;

enum SetupFlag {
    SQ_AFF(IoUring.IORING_SETUP_SQ_AFF),
    CQSIZE(IoUring.IORING_SETUP_CQSIZE),
    CLAMP(IoUring.IORING_SETUP_CLAMP),
    ATTACH_WQ(IoUring.IORING_SETUP_ATTACH_WQ),
    R_DISABLED(IoUring.IORING_SETUP_R_DISABLED),
    SUBMIT_ALL(IoUring.IORING_SETUP_SUBMIT_ALL),
    COOP_TASKRUN(IoUring.IORING_SETUP_COOP_TASKRUN),
    TASKRUN_FLAG(IoUring.IORING_SETUP_TASKRUN_FLAG),
    SINGLE_ISSUER(IoUring.IORING_SETUP_SINGLE_ISSUER),
    DEFER_TASKRUN(IoUring.IORING_SETUP_DEFER_TASKRUN),
    NO_SQARRAY(IoUring.IORING_SETUP_NO_SQARRAY);

    private final int bit;

    SetupFlag(int bit) {
        this.bit = bit;
    }

    int bit() {
        return bit;
    }
}
