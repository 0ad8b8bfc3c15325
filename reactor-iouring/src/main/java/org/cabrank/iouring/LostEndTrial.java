package org.cabrank.iouring;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionQueue;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.iouring.ring.Trial;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.IoUring;

/** Trial for {@link KnownFault#END_LOST_BEHIND_BYTES}. The peer of a Unix socket sends a byte and closes its socket in one system call. */
final class LostEndTrial {
    /** Longest wait for the end. Without the fault, the end arrives together with the byte. */
    private static final long LOST_NS = 20_000_000;

    private static final long TRIAL_NS = 1_000_000_000;

    private static final long RECEIVE = HandleRequests.anonymous(HandleRequests.RECV);
    private static final long SEND = HandleRequests.anonymous(HandleRequests.SEND);
    private static final long CLOSE = HandleRequests.anonymous(HandleRequests.CLOSE);
    private static final long CANCEL = HandleRequests.anonymous(HandleRequests.CANCEL);

    private final RingHandleSet set;
    private final ReceiveBuffers buffers;
    private final InboundQueue received = new InboundQueue();
    private final ByteBuffer one = ByteBuffer.allocateDirect(1);
    private final long oneAddress;
    private boolean sent;
    private boolean brought;
    private boolean ended;
    private int result;

    private LostEndTrial(RingHandleSet set, ReceiveBuffers buffers) {
        this.set = set;
        this.buffers = buffers;
        this.oneAddress = set.kernel().addressOf(one);
    }

    /** Called by the watcher before its first request. Returns false if the end is lost, or if the trial lacks sockets or memory. */
    static boolean passes(RingHandleSet set, ReceiveBuffers buffers) {
        try {
            return new LostEndTrial(set, buffers).run(TrialSockets.open(set.kernel()));
        } catch (IOException | OutOfMemoryError notTried) {
            return false;
        }
    }

    private boolean run(TrialSockets opened) {
        int own = opened.own();
        int peer = opened.peer();
        Ring ring = set.ring();
        SubmissionQueue submissions = ring.submissions();
        Trial trial = new Trial(ring, this::take);
        submissions.receiveMultishot(SubmissionWriter.descriptor(own), 0, 0, ReceiveBuffers.GROUP, RECEIVE);
        ring.submit();
        submissions.send(SubmissionWriter.descriptor(peer), oneAddress, 1, Sockets.MSG_NOSIGNAL, SEND);
        submissions.closeDescriptor(peer, CLOSE);
        submissions.closeDescriptor(opened.listening(), CLOSE);
        boolean whole = trial.await(() -> sent && brought, TRIAL_NS) && trial.await(() -> ended, LOST_NS);
        boolean passed = whole && result == 0;
        if (!ended) {
            submissions.cancel(RECEIVE, CANCEL);
            trial.await(() -> ended, TRIAL_NS);
        }
        submissions.closeDescriptor(own, CLOSE);
        ring.submit();
        Reference.reachabilityFence(one);
        trial.end();
        return passed;
    }

    private void take(long userData, int completed, int flags) {
        if (userData == SEND) {
            sent = true;
        } else if (userData == RECEIVE) {
            if (completed > 0) {
                buffers.received(received, completed, flags);
                buffers.release(received.poll());
                brought = true;
            }
            if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
                brought = true;
                ended = true;
                result = completed;
            }
        }
    }
}
