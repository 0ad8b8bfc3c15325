package org.cabrank.iouring;

import java.io.IOException;
import java.util.List;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Errno;

/** Ends a ring, even if it has failed or is busy. The last watcher ends all requests. The thread that closes the set frees the rest. */
final class RingEnd {
    /** Time that the last watcher waits if no completion arrives. */
    static final long QUIESCE_NS = 500_000_000;

    private static final long LOOK_NS = 10_000_000;

    private static final int NAMED_MAX = 4;

    private final RingHandleSet set;
    private final Ring ring;
    private final RequestTable table;

    RingEnd(RingHandleSet set) {
        this.set = set;
        this.ring = set.ring();
        this.table = set.table();
    }

    /** Called by the last watcher, because only the owner of a ring can end its requests. */
    void endRequests() {
        ring.submissions().cancelAll(HandleRequests.anonymous(HandleRequests.CANCEL));
    }

    /**
     * Called by the last watcher. Waits until all requests have ended. After {@link #QUIESCE_NS}, the wait continues only while completions
     * arrive. If the kernel still reads a file into memory of the reactor, the wait has no limit, because only this thread sees the end of
     * the read. The reactor waits for this thread only as long as for a handler.
     *
     * @throws IOException if the ring has failed, or if requests are left. The message names the requests.
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

    void close(RingHarvest harvest) {
        if (harvest != null) {
            harvest.takeLeft(false);
            ring.submissions().takePendingCloses(HandleRequests.anonymous(HandleRequests.CLOSE), set::closeQuietly);
        }
        ring.close();
        table.all().forEach(HandleRequests::abandon);
    }
}
