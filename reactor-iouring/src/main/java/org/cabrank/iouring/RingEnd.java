package org.cabrank.iouring;

import java.io.IOException;
import java.util.List;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Errno;

/**
 * End of a ring: the last thread that watches it ends all requests and waits until they have ended; the thread that closes
 * the set gives back what they have left. A ring that has failed, or does not become quiet, keeps nothing either.
 */
final class RingEnd {
    /**
     * Named bound: how long the last thread waits for the requests under way to end, when a look brings nothing more. Less than
     * a reactor waits for its last thread, which it would leave behind with all descriptors.
     */
    static final long QUIESCE_NS = 500_000_000;

    private static final long LOOK_NS = 10_000_000;

    /** Named bound: requests that are named in a message. */
    private static final int NAMED_MAX = 4;

    private final RingHandleSet set;
    private final Ring ring;
    private final RequestTable table;

    RingEnd(RingHandleSet set) {
        this.set = set;
        this.ring = set.ring();
        this.table = set.table();
    }

    /** Last watcher: has the kernel end all requests; those of a ring with an owner nobody else can end. */
    void endRequests() {
        ring.submissions().cancelAll(HandleRequests.anonymous(HandleRequests.CANCEL));
    }

    /**
     * Called by the last watcher. Waits until the kernel has taken all requests, and all have ended. A thread that stood still
     * for the whole time takes what has ended since, which is not much: nothing is armed any more. Reads into memory of the reactor are
     * waited for as long as they take (a disk that does not answer), because only this thread sees them end: the reactor does
     * not wait for this thread any longer than for a handler.
     *
     * @throws IOException when the ring has failed, or with what is left when the time is over
     */
    void awaitQuiet(RingHarvest harvest) throws IOException {
        long untilNs = set.nanoTime() + QUIESCE_NS;
        boolean more = true;
        boolean logged = false;
        while (ring.submissions().pending() > 0 || !underWay().isEmpty()) {
            if (!more && set.nanoTime() - untilNs >= 0) {
                IOException left = new IOException(leftInWords());
                if (underWay().stream().noneMatch(HandleRequests::isFilled)) {
                    throw left;
                }
                if (!logged) {
                    logged = true;
                    set.failures().log("the last thread waits for reads of files: " + left.getMessage(), left);
                }
            }
            more = Errno.check("io_uring_enter", harvest.takeAll(LOOK_NS)) > 0;
        }
    }

    private List<HandleRequests> underWay() {
        return table.all().stream().filter(requests -> requests.underWay() > 0).toList();
    }

    private String leftInWords() {
        List<HandleRequests> left = underWay();
        int count = left.stream().mapToInt(HandleRequests::underWay).sum();
        return set + " is not quiet after " + QUIESCE_NS / 1_000_000 + " ms: "
                + ring.submissions().pending() + " submissions were not taken, " + count + " requests have not ended: "
                + left.subList(0, Math.min(NAMED_MAX, left.size())) + (left.size() > NAMED_MAX ? " and others" : "");
    }

    /**
     * Closes the ring. Called when no thread watches any more, and all handles are closed. Descriptors that the ring had to close
     * are closed, and the memory of requests that have not ended is free.
     *
     * @param harvest null in a ring that was never watched
     */
    void close(RingHarvest harvest) {
        if (harvest != null) {
            harvest.takeLeft(false);
            ring.submissions().takePendingCloses(HandleRequests.anonymous(HandleRequests.CLOSE), set::closeQuietly);
        }
        ring.close();
        table.all().forEach(HandleRequests::abandon);
    }
}
