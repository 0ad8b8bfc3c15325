package org.cabrank.iouring;

import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.iouring.ring.Trial;
import org.cabrank.kernel.Errno;

/**
 * Finds out if the kernel has the receives of Linux 6.17, which are free of {@link KnownFault#BUNDLE_GAPS}. No flag reports them. The trial
 * sets their field for a limit ({@code optlen}) and an invalid descriptor: these kernels return EBADF, older ones EINVAL for the field.
 */
final class BundleTrial {
    /** User data of a receive with an invalid descriptor. */
    private static final long TRIAL = HandleRequests.anonymous(HandleRequests.RECV);

    private static final long TRIAL_NS = 1_000_000_000;

    /** Initial value; a receive with an invalid descriptor never returns 0. */
    private static final int NO_ANSWER = 0;

    private BundleTrial() {}

    /** Watcher, before its first request. Returns true if the kernel has the receives of Linux 6.17. */
    static boolean passes(Ring ring) {
        int[] answer = {NO_ANSWER};
        Trial trial = new Trial(ring, (userData, result, flags) -> answer[0] = userData == TRIAL ? result : answer[0]);
        ring.submissions().receiveMultishot(SubmissionWriter.descriptor(-1), 0, 1, ReceiveBuffers.GROUP, TRIAL);
        trial.await(() -> answer[0] != NO_ANSWER, TRIAL_NS);
        trial.end();
        return answer[0] == -Errno.EBADF;
    }
}
