package org.cabrank.lf;

import java.util.function.BiConsumer;
import org.cabrank.lf.dispatch.ProcessingThread;
import org.cabrank.lf.dispatch.ServingPool;
import org.cabrank.lf.handle.HandleSet;

/** Calls the failure listener of tasks or timers. An exception of the listener is counted, and logged once per kind. */
final class CallbackFailures<C> {
    private final HandleSet set;
    private final BiConsumer<? super C, ? super Throwable> listener;

    CallbackFailures(HandleSet set, BiConsumer<? super C, ? super Throwable> listener) {
        this.set = set;
        this.listener = listener;
    }

    /**
     * Logs the failure and calls the listener. Called by the thread that has run {@code failed}. First clears an interrupt status that the
     * callback has left, because an interrupted logger that writes to a channel would close the channel.
     */
    void note(String format, Object subject, C failed, Throwable failure) {
        ServingPool pool = set.dispatcher().pool();
        ProcessingThread me = pool.currentThread();
        me.noteInterrupt();
        if (failure instanceof InterruptedException) { // the interrupt was meant for the thread, not for the callback
            me.interrupted = true;
        }
        if (failure instanceof VirtualMachineError) {
            pool.wakeLeaders();
        }
        set.failures().log(format, subject, failure);
        report(failed, failure);
        me.noteInterrupt();
    }

    private void report(C failed, Throwable failure) {
        try {
            listener.accept(failed, failure);
        } catch (Throwable refused) {
            if (refused instanceof InterruptedException) { // a checked exception, thrown without being declared
                Thread.currentThread().interrupt();
            }
            set.failures().log("the failure listener of %s failed", set, refused);
        }
    }
}
