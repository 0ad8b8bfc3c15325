package org.cabrank.iouring;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.cabrank.iouring.ring.CompletionQueue;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionQueue;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.socket.transport.KernelRetry;

final class RingHarvest extends Harvest {
    /** A harvest submits as soon as this many requests are queued, so that no answer waits for the whole harvest. */
    private static final int SUBMIT_AT = 32;

    /** After this time, queued requests are submitted as soon as the running handler returns, even if only a few are queued. */
    private static final long SUBMIT_AFTER_NS = 50_000;

    private final RingHandleSet set;
    private final Ring ring;
    private final SubmissionQueue submissions;
    private final CompletionQueue completions;
    private final RequestTable table;
    private final KernelRetry retry;

    /** Null if the ring has a single thread. */
    private final Relief relief;

    private boolean begun;
    private int harvested;
    private int position;

    private long submittedNs;

    private int ready;

    RingHarvest(RingHandleSet set) {
        this.set = set;
        this.ring = set.ring();
        this.submissions = ring.submissions();
        this.completions = ring.completions();
        this.table = set.table();
        this.retry = new KernelRetry(set);
        this.relief = set.relief();
    }

    @Override
    protected int await(long timeoutNs) throws IOException {
        if (relief != null && relief.isOn()) {
            return relief.await(timeoutNs);
        }
        completions.advance(position);
        position = 0;
        harvested = 0;
        boolean looksOnce = set.beginWatching();
        begun = true;
        boolean waits = !looksOnce && completions.available() == 0;
        int result = ring.await(set.batch(), set.batchWaitNs(), waits ? timeoutNs : 0);
        if (result < 0) {
            throw ring.failure(result);
        }
        noteCall(ring.takeLastCall());
        submittedNs = System.nanoTime();
        harvested = Math.min(completions.available(), HandleSet.HARVEST_MAX);
        return harvested;
    }

    /** Does not pause after a refused call, because the ring has already paused. */
    private void noteCall(int last) throws IOException {
        if (last < 0) {
            retry.refused("io_uring_enter", last);
        } else if (last == Ring.TAKEN) {
            retry.taken();
            if (relief != null) {
                relief.noteEntered();
            }
        }
    }

    /** Called if a posted event runs a handler before the first wait. */
    private void begin() {
        try {
            set.beginWatching();
            begun = true;
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    @Override
    protected Handle next() {
        if (relief != null && relief.isOn()) {
            Handle handle = relief.next();
            ready = relief.ready();
            return handle;
        }
        if (!begun) {
            begin();
        }
        int queued = submissions.queued();
        if (queued > 0) {
            submitOrWait(queued);
        }
        while (position < harvested) {
            int index = position++;
            long userData = completions.userData(index);
            HandleRequests requests = table.lookup(userData);
            if (requests != null) {
                ready = completed(requests, userData, index);
                if (ready != 0) {
                    if (requests.isGathered()) {
                        gather(requests, userData);
                    }
                    return requests.handle();
                }
            } else {
                set.completedWithoutHandle(userData, completions.result(index), completions.flags(index));
            }
        }
        return null;
    }

    /** Takes the lock only if another thread runs a handler. No other thread can begin one before this thread runs a handler. */
    private int completed(HandleRequests requests, long userData, int index) {
        int operation = HandleRequests.operation(userData);
        if (relief == null || relief.isAlone()) {
            return requests.completed(operation, completions.result(index), completions.flags(index));
        }
        relief.enter();
        try {
            return requests.completed(operation, completions.result(index), completions.flags(index));
        } finally {
            relief.leave();
        }
    }

    private void gather(HandleRequests requests, long userData) {
        int operation = HandleRequests.operation(userData);
        while (position < harvested && completions.userData(position) == userData) {
            int index = position++;
            ready |= requests.completed(operation, completions.result(index), completions.flags(index));
        }
    }

    private void submitOrWait(int queued) {
        long nowNs = System.nanoTime();
        if (queued >= SUBMIT_AT || nowNs - submittedNs >= SUBMIT_AFTER_NS) {
            ring.submit();
            submittedNs = nowNs;
        }
    }

    /** Called by the last watcher. Takes completions that are present or arrive within the time. Dispatches nothing. */
    int takeAll(long timeoutNs) throws IOException {
        takeHarvested();
        int result = ring.await(1, 0, timeoutNs);
        harvested = completions.available();
        takeHarvested();
        return result;
    }

    /** Called by a deputy, or after all watchers have left. Takes the remaining completions without a system call. */
    void takeLeft(boolean posts) {
        while (position < completions.available()) {
            int index = position++;
            long userData = completions.userData(index);
            int result = completions.result(index);
            HandleRequests requests = table.lookup(userData);
            if (requests == null) {
                set.completedWithoutHandle(userData, result, completions.flags(index));
                continue;
            }
            int bits = requests.completed(HandleRequests.operation(userData), result, completions.flags(index));
            if (posts && bits != 0) {
                requests.handle().post(bits);
            }
        }
        completions.advance(position);
        position = 0;
        harvested = 0;
    }

    private void takeHarvested() {
        Handle more = next();
        while (more != null) {
            more = next();
        }
        completions.advance(position);
        position = 0;
        harvested = 0;
    }

    @Override
    protected int ready() {
        return ready;
    }
}
