package org.cabrank.iouring;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.descriptor.spi.SocketOps;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;

/**
 * A trial of {@link KnownFault#END_LOST_BEHIND_BYTES}. The peer of a Unix socket sends a byte and closes in one system call, so that
 * both wake a multishot receive before it runs.
 */
final class EndTrial {
    /** Named bound: the wait for an end that is lost. One that is not lost comes together with the byte. */
    private static final long LOST_NS = 20_000_000;

    private static final long TRIAL_NS = 1_000_000_000;

    private static final long RECEIVE = Requests.anonymous(Requests.RECV);
    private static final long SEND = Requests.anonymous(Requests.SEND);
    private static final long CLOSE = Requests.anonymous(Requests.CLOSE);
    private static final long CANCEL = Requests.anonymous(Requests.CANCEL);

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final RingHandleSet set;
    private final ReceiveBuffers buffers;
    private final Kernel kernel;
    private final SocketOps sockets;
    private final InboundQueue received = new InboundQueue(false);
    private final ByteBuffer one = ByteBuffer.allocateDirect(1);
    private final long oneAddress;
    private boolean sent;
    private boolean brought;
    private boolean ended;
    private int result;

    private EndTrial(RingHandleSet set, ReceiveBuffers buffers) {
        this.set = set;
        this.buffers = buffers;
        this.kernel = set.kernel();
        this.sockets = new SocketOps(kernel);
        this.oneAddress = kernel.addressOf(one);
    }

    /**
     * Watcher, before its first request.
     *
     * @return false: the end is lost, or nobody knows, because there are no sockets or no memory for the trial
     */
    static boolean passes(RingHandleSet set, ReceiveBuffers buffers) {
        try {
            return new EndTrial(set, buffers).run();
        } catch (IOException | OutOfMemoryError notTried) {
            return false;
        }
    }

    private boolean run() throws IOException {
        AbstractUnixAddress address = new AbstractUnixAddress(
                "cabrank-" + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet() + "-" + System.nanoTime());
        int listening = Errno.check("socket", sockets.streamSocket(address));
        int own = -1;
        int peer = -1;
        try {
            Errno.check("bind", sockets.bind(listening, address));
            Errno.check("listen", kernel.listen(listening, 1));
            own = Errno.check("socket", sockets.streamSocket(address));
            Errno.check("connect", sockets.connect(own, address));
            peer = Errno.check("accept4", kernel.accept4(listening, 0, 0, Sockets.SOCK_CLOEXEC));
        } finally {
            if (peer < 0) {
                kernel.close(listening);
            }
            if (peer < 0 && own >= 0) {
                kernel.close(own);
            }
        }
        return run(listening, own, peer);
    }

    /** The ring closes the descriptors, behind the requests that name them. */
    private boolean run(int listening, int own, int peer) {
        Ring ring = set.ring();
        SubmissionQueue submissions = ring.submissions();
        Trial trial = new Trial(ring, this::take);
        submissions.receiveMultishot(
                SubmissionWriter.descriptor(own), 0, ReceiveLimit.NONE, ReceiveBuffers.GROUP, RECEIVE);
        ring.submit();
        submissions.send(SubmissionWriter.descriptor(peer), oneAddress, 1, Sockets.MSG_NOSIGNAL, SEND);
        submissions.closeDescriptor(peer, CLOSE);
        submissions.closeDescriptor(listening, CLOSE);
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
