package org.cabrank.iouring;

import org.cabrank.iouring.config.RingMode;
import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.iouring.ring.Trial;
import org.cabrank.kernel.Errno;

/**
 * The limit of bytes after which the kernel ends one multishot receive.
 *
 * <p>In a shared ring the kernel continues to receive in the context of the thread that has armed the request, independently of
 * the watcher: a peer that sends without a pause could fill all buffers of the ring before the watcher, which may
 * have lost its CPU, sees the first. So the kernel is given a limit if it takes one: the field {@code optlen}
 * of a receive, of Linux 6.17. The owner of a ring lets the kernel receive only while it waits itself, and needs no limit.
 *
 * <p>A kernel that knows the field has the receives of Linux 6.17, without {@link KnownFault#BUNDLE_GAPS}.
 */
final class ReceiveLimit {
    static final int NONE = 0;

    /** A receive from no descriptor. */
    private static final long TRIAL = HandleRequests.anonymous(HandleRequests.RECV);

    private static final long TRIAL_NS = 1_000_000_000;

    /** No result of a receive from no descriptor: that is {@code -errno}. */
    private static final int NO_ANSWER = 0;

    private ReceiveLimit() {}

    /**
     * Before the pool starts.
     *
     * @param wantedBytes from 1
     * @return the value of the field: {@code wantedBytes} or {@link #NONE}
     */
    static int of(Ring ring, long wantedBytes) {
        boolean limited = ring.mode() == RingMode.SHARED && isKnown(ring);
        return limited ? (int) Math.min(wantedBytes, Integer.MAX_VALUE) : NONE;
    }

    /**
     * Watcher, before its first request: returns true if the kernel knows the field. There is no flag for it: a kernel without it
     * refuses the field (EINVAL), one with it the descriptor (EBADF).
     */
    static boolean isKnown(Ring ring) {
        int[] answer = {NO_ANSWER};
        Trial trial = new Trial(ring, (userData, result, flags) -> answer[0] = userData == TRIAL ? result : answer[0]);
        ring.submissions().receiveMultishot(SubmissionWriter.descriptor(-1), 0, 1, ReceiveBuffers.GROUP, TRIAL);
        trial.await(() -> answer[0] != NO_ANSWER, TRIAL_NS);
        trial.end();
        return answer[0] == -Errno.EBADF;
    }
}
