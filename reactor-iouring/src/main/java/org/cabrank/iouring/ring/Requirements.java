package org.cabrank.iouring.ring;

import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.stream.BackendUnavailableException;

/** Checks that the kernel has the features that this reactor or the options require. */
final class Requirements {
    private Requirements() {}

    /** Called with the {@code IORING_FEAT_} bits, before the memory of the ring is mapped. */
    static void checkBits(int featureBits) throws BackendUnavailableException {
        needed(featureBits, IoUring.IORING_FEAT_SINGLE_MMAP, "both queues in one mapping", "5.4");
        needed(featureBits, IoUring.IORING_FEAT_NODROP, "completions that are never dropped", "5.5");
        needed(featureBits, IoUring.IORING_FEAT_EXT_ARG, "time-outs in io_uring_enter", "5.11");
    }

    private static void needed(int featureBits, int bit, String what, String since) throws BackendUnavailableException {
        if ((featureBits & bit) == 0) {
            throw IoUringRefusal.tooOld(what, since);
        }
    }

    static void check(RingFeatures features, RingOptions options) throws BackendUnavailableException {
        if (!features.bufferRing()) {
            throw IoUringRefusal.tooOld("rings of receive buffers", "5.19");
        }
        if (!features.multishotReceive()) {
            throw IoUringRefusal.tooOld("multishot receive", "6.0");
        }
        wanted(options.incremental(), features.incremental(), "incremental receive buffers", "6.12");
        wanted(options.batch() > 1, features.minWait(), "waiting for a batch", "6.12");
    }

    private static void wanted(boolean asked, boolean granted, String what, String since)
            throws BackendUnavailableException {
        if (asked && !granted) {
            throw IoUringRefusal.optionMissing(what, since);
        }
    }
}
