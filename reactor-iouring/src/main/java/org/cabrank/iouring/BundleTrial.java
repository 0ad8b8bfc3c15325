package org.cabrank.iouring;

import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.iouring.ring.Trial;
import org.cabrank.kernel.Errno;

/**
 * A trial for the receives of Linux 6.17, which do not have {@link KnownFault#BUNDLE_GAPS}. No flag reports them, but they have a field
 * for a limit ({@code optlen}): a kernel without the field refuses it (EINVAL), a kernel with it refuses the descriptor (EBADF).
 */
final class BundleTrial {
    /** User data of a receive with an invalid descriptor. */
    private static final long TRIAL = HandleRequests.anonymous(HandleRequests.RECV);

    private static final long TRIAL_NS = 1_000_000_000;

    /** No result of a receive with an invalid descriptor, which returns {@code -errno}. */
    private static final int NO_ANSWER = 0;

    private BundleTrial() {}

    /** Watcher, before its first request: returns true if the kernel has the receives of Linux 6.17. */
    static boolean passes(Ring ring) {
        int[] answer = {NO_ANSWER};
        Trial trial = new Trial(ring, (userData, result, flags) -> answer[0] = userData == TRIAL ? result : answer[0]);
        ring.submissions().receiveMultishot(SubmissionWriter.descriptor(-1), 0, 1, ReceiveBuffers.GROUP, TRIAL);
        trial.await(() -> answer[0] != NO_ANSWER, TRIAL_NS);
        trial.end();
        return answer[0] == -Errno.EBADF;
    }
}
