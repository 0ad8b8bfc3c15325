package org.cabrank.iouring.ring;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.cabrank.kernel.layout.IoUring;

/** Features that the kernel has granted to a ring. They were found by trials, not by the version of the kernel. */
public final class RingFeatures {
    private final int setupFlags;
    private final int featureBits;
    private final int submissionEntries;
    private final int completionEntries;
    private final BitSet opcodes;
    private final boolean bufferRing;
    private final boolean incremental;
    private final boolean messageRegister;

    RingFeatures(
            int setupFlags,
            int featureBits,
            int submissionEntries,
            int completionEntries,
            BitSet opcodes,
            boolean bufferRing,
            boolean incremental,
            boolean messageRegister) {
        this.setupFlags = setupFlags;
        this.featureBits = featureBits;
        this.submissionEntries = submissionEntries;
        this.completionEntries = completionEntries;
        this.opcodes = opcodes;
        this.bufferRing = bufferRing;
        this.incremental = incremental;
        this.messageRegister = messageRegister;
    }

    int setupFlags() {
        return setupFlags;
    }

    private boolean setup(int flag) {
        return (setupFlags & flag) != 0;
    }

    private boolean feature(int bit) {
        return (featureBits & bit) != 0;
    }

    boolean supports(int opcode) {
        return opcodes.get(opcode);
    }

    /** Returns true if io_uring_enter(2) takes a time-out (Linux 5.11). */
    boolean extArg() {
        return feature(IoUring.IORING_FEAT_EXT_ARG);
    }

    /** Returns true if a ring can provide buffers (Linux 5.19). */
    boolean bufferRing() {
        return bufferRing;
    }

    /** Returns true if one receive can bring many messages (Linux 6.0). No flag reports this, but kernels with SEND_ZC have it. */
    boolean multishotReceive() {
        return supports(IoUring.IORING_OP_SEND_ZC);
    }

    /** Returns true if only one thread may use the ring (SINGLE_ISSUER, Linux 6.0). */
    boolean singleIssuer() {
        return setup(IoUring.IORING_SETUP_SINGLE_ISSUER);
    }

    /** Returns true if the kernel completes requests only in a call with GETEVENTS (DEFER_TASKRUN, Linux 6.1). */
    public boolean deferTaskrun() {
        return setup(IoUring.IORING_SETUP_DEFER_TASKRUN);
    }

    /** Returns true if one send or receive can use several buffers (Linux 6.10). */
    public boolean bundles() {
        return feature(IoUring.IORING_FEAT_RECVSEND_BUNDLE);
    }

    /** Returns true if several receives can fill one provided buffer, piece by piece (Linux 6.12). */
    public boolean incremental() {
        return incremental;
    }

    /** Returns true if a wait for a batch of completions can end with one completion after a given time (Linux 6.12). */
    boolean minWait() {
        return feature(IoUring.IORING_FEAT_MIN_TIMEOUT);
    }

    /** Returns true if a wait need not count as iowait (Linux 6.15). */
    boolean noIoWait() {
        return feature(IoUring.IORING_FEAT_NO_IOWAIT);
    }

    /** Returns true if a thread without a ring can post a completion to a ring (Linux 6.13). */
    public boolean messageRegister() {
        return messageRegister;
    }

    String summary() {
        List<String> words = new ArrayList<>();
        name(words, singleIssuer(), "SINGLE_ISSUER");
        name(words, deferTaskrun(), "DEFER_TASKRUN");
        words.add("wakeup by " + wakeup());
        return String.join(", ", words);
    }

    private String wakeup() {
        return messageRegister ? "MSG_RING" : "eventfd";
    }

    public String describe() {
        return "queues: " + submissionEntries + " submissions, " + completionEntries + " completions" + "\n"
                + "setup: " + String.join(" ", setupNames()) + "\n"
                + "has: " + String.join(", ", named(true)) + "\n"
                + "lacks: " + String.join(", ", named(false)) + "\n"
                + "wakeup: " + wakeup() + "; "
                + opcodes.cardinality() + " operations";
    }

    private List<String> setupNames() {
        List<String> names = new ArrayList<>();
        for (SetupFlag flag : SetupFlag.values()) {
            if (setup(flag.bit())) {
                names.add(flag.name());
            }
        }
        return names;
    }

    private List<String> named(boolean granted) {
        List<String> names = new ArrayList<>();
        name(names, granted == extArg(), "time-outs in the call (5.11)");
        name(names, granted == bufferRing, "buffer rings (5.19)");
        name(names, granted == multishotReceive(), "multishot receive (6.0)");
        name(names, granted == bundles(), "bundles (6.10)");
        name(names, granted == incremental, "incremental buffers (6.12)");
        name(names, granted == minWait(), "waiting for a batch (6.12)");
        name(names, granted == messageRegister, "messages without a ring (6.13)");
        name(names, granted == noIoWait(), "waits that are no iowait (6.15)");
        if (names.isEmpty()) {
            names.add("nothing");
        }
        return names;
    }

    private static void name(List<String> names, boolean belongs, String what) {
        if (belongs) {
            names.add(what);
        }
    }
}
