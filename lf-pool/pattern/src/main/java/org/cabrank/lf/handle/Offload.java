package org.cabrank.lf.handle;

import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.counting.OffloadCounts;
import org.cabrank.lf.dispatch.OffloadedWork;

/** Work that a handler has offloaded, and its result. Either the holder of the handle gets the result, or the result is dropped. */
final class Offload<T> extends OffloadedWork implements Runnable {
    private final Handle handle;
    private final CancellableWork<? extends T> work;

    /** Null if the work cannot be cancelled. */
    private final Cancellation cancellation;

    private final Continuation<? super T> continuation;

    /** True after the executor has begun the work, or after {@link #cancel}. */
    private final AtomicBoolean begun = new AtomicBoolean();

    /** True if the work or the handle has ended. If both have ended, the second of {@link #run} and {@link #abandon} drops the result. */
    private final AtomicBoolean ended = new AtomicBoolean();

    private T result;

    private Throwable failure;

    Offload(
            Handle handle,
            CancellableWork<? extends T> work,
            Cancellation cancellation,
            Continuation<? super T> continuation) {
        this.handle = handle;
        this.work = work;
        this.cancellation = cancellation;
        this.continuation = continuation;
    }

    /** Runs on the executor. Work that cannot be cancelled runs even if the handle is closed, because it may have effects elsewhere. */
    @Override
    public void run() {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        if (cancellation != null && !cancellation.begin()) {
            counts().drop();
            return;
        }
        Throwable thrown = null;
        try {
            result = work.call(cancellation);
        } catch (Throwable any) {
            thrown = any;
        }
        if (cancellation != null) {
            cancellation.end();
        }
        if (thrown != null && !isCancelled()) {
            failure = thrown;
            counts().fail();
        }
        if (ended.compareAndSet(false, true)) {
            handle.handleSet().dispatcher.noteWorkDone(handle);
        } else {
            drop();
        }
        if (thrown instanceof InterruptedException && !isCancelled()) {
            Thread.currentThread().interrupt(); // the interrupt was meant for the executor's thread
        }
    }

    /** Called by the holder if the executor has thrown. Returns true if the work will never begin. */
    boolean cancel() {
        return begun.compareAndSet(false, true);
    }

    @Override
    protected void resume() throws Exception {
        if (failure != null) {
            continuation.failed(handle, failure);
        } else {
            continuation.resume(handle, result);
        }
    }

    private boolean isCancelled() {
        return cancellation != null && cancellation.isCancelled();
    }

    @Override
    protected void abandon() {
        if (cancellation != null) {
            cancellation.cancel();
        }
        if (!ended.compareAndSet(false, true)) {
            drop();
        }
    }

    private void drop() {
        counts().drop();
        if (failure != null) {
            handle.handleSet().failures().log("work of " + handle + ", which was closed meanwhile, failed", failure);
        }
    }

    private OffloadCounts counts() {
        return handle.handleSet().dispatcher.offloads();
    }
}
