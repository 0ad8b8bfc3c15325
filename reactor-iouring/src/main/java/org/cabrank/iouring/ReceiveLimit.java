package org.cabrank.iouring;

import org.cabrank.kernel.Errno;

/**
 * How much one multishot receive may bring before it must be armed anew.
 *
 * <p>In a shared ring the kernel goes on receiving in the context of the thread that has armed the request, whatever the
 * watcher does meanwhile: a peer that sends without a pause could fill all buffers of the ring before the watcher, which may
 * have lost its processor, sees the first. So the kernel is told when to end by itself, where it can be: the field {@code optlen}
 * of a receive, of Linux 6.17. The owner of a ring lets the kernel receive only while it waits itself, and needs no limit.
 */
final class ReceiveLimit {
    static final int NONE = 0;

    /** A receive from no descriptor. */
    private static final long TRIAL = Requests.anonymous(Requests.RECV);

    private static final long TRIAL_NS = 1_000_000_000;

    private ReceiveLimit() {}

    /**
     * Before the pool starts.
     *
     * @param wantedBytes from 1
     * @return what is to stand in the field: {@code wantedBytes} or {@link #NONE}
     */
    static int of(Ring ring, long wantedBytes) {
        boolean limited = ring.mode() == RingMode.SHARED && isKnown(ring);
        return limited ? (int) Math.min(wantedBytes, Integer.MAX_VALUE) : NONE;
    }

    /** It cannot be asked for: a kernel without it refuses the field (EINVAL), one with it the descriptor (EBADF). */
    private static boolean isKnown(Ring ring) {
        ring.submissions().receiveMultishot(SubmissionWriter.descriptor(-1), 0, 1, ReceiveBuffers.GROUP, TRIAL);
        if (ring.await(1, 0, TRIAL_NS) <= 0) {
            return false; // its completion will be nobody's
        }
        CompletionQueue completions = ring.completions();
        boolean answered = completions.userData(0) == TRIAL;
        boolean known = answered && completions.result(0) == -Errno.EBADF;
        if (answered) {
            completions.advance(1);
        }
        return known;
    }
}
