package org.cabrank.lf;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/** Work that a handler has handed to an executor, and what comes of it: given to the handle's holder, or dropped. */
final class Offload<T> implements Runnable {
    private final Handle handle;
    private final Callable<? extends T> work;
    private final Continuation<? super T> continuation;

    /** By the executor, or by the handler that the executor has refused. */
    private final AtomicBoolean begun = new AtomicBoolean();

    /** The work has come to its end, or the handle to its own; whichever is second drops the result. */
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Written before the end. */
    private T result;

    private Throwable failure;

    Offload(Handle handle, Callable<? extends T> work, Continuation<? super T> continuation) {
        this.handle = handle;
        this.work = work;
        this.continuation = continuation;
    }

    /** The executor: does the work, even if the handle is closed by now, because what it does elsewhere was asked for. */
    @Override
    public void run() {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        Throwable thrown = null;
        try {
            result = work.call();
        } catch (Throwable any) {
            thrown = any;
            failure = any;
            counts().fail();
        }
        if (ended.compareAndSet(false, true)) {
            handle.noteWorkDone();
        } else {
            drop();
        }
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt(); // meant for the executor's thread, which has not ended yet
        } else if (thrown instanceof VirtualMachineError fatal) {
            throw fatal;
        }
    }

    /** Holder: the executor has thrown; true: the work has not begun, and never will. */
    boolean cancel() {
        return begun.compareAndSet(false, true);
    }

    /** Holder: the work is done, and the handler goes on with it. */
    void resume() throws Exception {
        if (failure != null) {
            continuation.failed(handle, failure);
        } else {
            continuation.resume(handle, result);
        }
    }

    /** Holder: the handle is closed. */
    void abandon() {
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
        return handle.handleSet().offloads();
    }
}
