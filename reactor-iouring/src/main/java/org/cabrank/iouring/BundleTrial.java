package org.cabrank.iouring;

import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.iouring.ring.Trial;
import org.cabrank.kernel.Errno;

/**
 * Tests if the kernel has the receives of Linux 6.17, which are free of {@link KnownFault#BUNDLE_GAPS}. No flag reports this. The trial
 * submits a receive with an invalid descriptor, and sets the new field for a limit ({@code optlen}). A kernel with these receives returns
 * EBADF. An older kernel rejects the field and returns EINVAL.
 */
final class BundleTrial {
    private static final long TRIAL = HandleRequests.anonymous(HandleRequests.RECV);

    private static final long TRIAL_NS = 1_000_000_000;

    /** Cannot be an answer, because a receive with an invalid descriptor never returns 0. */
    private static final int NO_ANSWER = 0;

    private BundleTrial() {}

    /** Called by the watcher before its first request. */
    static boolean passes(Ring ring) {
        int[] answer = {NO_ANSWER};
        Trial trial = new Trial(ring, (userData, result, flags) -> answer[0] = userData == TRIAL ? result : answer[0]);
        ring.submissions().receiveMultishot(SubmissionWriter.descriptor(-1), 0, 1, ReceiveBuffers.GROUP, TRIAL);
        trial.await(() -> answer[0] != NO_ANSWER, TRIAL_NS);
        trial.end();
        return answer[0] == -Errno.EBADF;
    }
}
