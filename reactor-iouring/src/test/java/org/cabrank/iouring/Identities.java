package org.cabrank.iouring;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringSqe;

/**
 * Sees to it that no two descriptors ask under the same identity: who has left may have asked for the end of a request that is
 * on its way still, and it must not meet a successor's in the same slot. What it would do there heals by itself, so nobody else
 * would notice.
 */
final class Identities implements Consumer<ByteBuffer> {
    /** Slot of the requests that belong to no handle: those of trials, which name one descriptor after the other. */
    private static final int NOBODY = HandleRequests.slot(HandleRequests.anonymous(HandleRequests.RECV));

    /** Of a slot: who has it, and the descriptor. By the one thread that submits at a time. */
    private final Map<Integer, long[]> seen = new HashMap<>();

    private final Queue<String> errors;

    Identities(Queue<String> errors) {
        this.errors = errors;
    }

    @Override
    public void accept(ByteBuffer submission) {
        byte operation = submission.get(IoUringSqe.OPCODE_OFFSET);
        boolean ofStream = operation == IoUring.IORING_OP_RECV || operation == IoUring.IORING_OP_SEND;
        boolean byDescriptor = (submission.get(IoUringSqe.FLAGS_OFFSET) & IoUring.IOSQE_FIXED_FILE) == 0;
        if (!ofStream || !byDescriptor) {
            return;
        }
        int fd = submission.getInt(IoUringSqe.FD_OFFSET);
        long userData = submission.getLong(IoUringSqe.USER_DATA_OFFSET);
        if (HandleRequests.slot(userData) == NOBODY) {
            return;
        }
        long identity = userData << Byte.SIZE >>> Byte.SIZE;
        long[] before = seen.put(HandleRequests.slot(userData), new long[] {identity, fd});
        if (before != null && before[0] == identity && before[1] != fd) {
            errors.add("fd " + before[1] + " and fd " + fd + " have asked under the same identity, " + identity);
        }
    }
}
