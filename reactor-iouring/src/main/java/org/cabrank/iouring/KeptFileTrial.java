package org.cabrank.iouring;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionQueue;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.iouring.ring.Trial;

/**
 * A trial of {@link KnownFault#FILES_KEPT_OPEN}. A receive by a place is under way; a socket is put into another place, taken out again
 * and closed. The receive meets the end of the stream, if the kernel lets go of the socket although the receive is under way.
 */
final class KeptFileTrial {
    /** Number of places that the trial uses: the first of the table, which are empty before and after. */
    private static final int PLACES = 2;

    /** Named bound: the wait for an end that does not come. Otherwise the end comes with the return of the submission. */
    private static final long KEPT_NS = 20_000_000;

    private static final long TRIAL_NS = 1_000_000_000;

    private static final long RECEIVE = HandleRequests.anonymous(HandleRequests.RECV);
    private static final long FILL = HandleRequests.anonymous(HandleRequests.TAKE_PLACE);
    private static final long EMPTY = HandleRequests.anonymous(HandleRequests.LEAVE_PLACE);
    private static final long CLOSE = HandleRequests.anonymous(HandleRequests.CLOSE);
    private static final long CANCEL = HandleRequests.anonymous(HandleRequests.CANCEL);

    private final Ring ring;
    private final ByteBuffer descriptors =
            ByteBuffer.allocateDirect(PLACES * Integer.BYTES).order(ByteOrder.nativeOrder());
    private int placesLeft;
    private boolean refused;
    private boolean ended;
    private int result;

    private KeptFileTrial(Ring ring) {
        this.ring = ring;
    }

    /**
     * Watcher, before its first request.
     *
     * @return false: the kernel keeps the file, or nobody knows, because there are no sockets or no memory for the trial
     */
    static boolean passes(Ring ring) {
        try {
            return new KeptFileTrial(ring).run(TrialSockets.open(ring.kernel()));
        } catch (IOException | OutOfMemoryError notTried) {
            return false;
        }
    }

    /** The ring closes the descriptors, behind the requests that name them. */
    private boolean run(TrialSockets sockets) {
        descriptors.putInt(0, sockets.own()).putInt(Integer.BYTES, sockets.peer());
        long address = ring.kernel().addressOf(descriptors);
        SubmissionQueue submissions = ring.submissions();
        Trial trial = new Trial(ring, this::take);
        submissions.fillPlace(0, address, FILL);
        submissions.receive(SubmissionWriter.place(0), 1, ReceiveBuffers.GROUP, RECEIVE);
        submissions.fillPlace(1, address + Integer.BYTES, FILL);
        ring.submit();
        submissions.emptyPlace(1, EMPTY);
        submissions.closeDescriptor(sockets.peer(), CLOSE);
        submissions.closeDescriptor(sockets.listening(), CLOSE);
        boolean passed = trial.await(() -> placesLeft == 1, TRIAL_NS) && trial.await(() -> ended, KEPT_NS);
        passed &= result == 0 && !refused;
        if (!ended) {
            submissions.cancel(RECEIVE, CANCEL);
            trial.await(() -> ended, TRIAL_NS);
        }
        submissions.emptyPlace(0, EMPTY);
        submissions.closeDescriptor(sockets.own(), CLOSE);
        trial.await(() -> placesLeft == PLACES, TRIAL_NS);
        Reference.reachabilityFence(descriptors);
        trial.end();
        return passed;
    }

    private void take(long userData, int completed, int flags) {
        if (userData == FILL) {
            refused |= completed != 1;
        } else if (userData == EMPTY) {
            placesLeft++;
        } else if (userData == RECEIVE) {
            ended = true;
            result = completed;
        }
    }
}
