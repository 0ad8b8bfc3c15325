package org.cabrank.lf;

import java.util.function.BiConsumer;

/**
 * The failure listener of tasks or timers, called with what a callback threw. The listener is guarded: what it throws is counted
 * and logged once per kind ({@link HandleSet#failures}), and reaches the thread only if the thread must end
 * ({@link FatalErrors}).
 *
 * @param <C> the callback that failed
 */
final class CallbackFailures<C> {
    private final HandleSet set;
    private final BiConsumer<? super C, ? super Throwable> listener;

    CallbackFailures(HandleSet set, BiConsumer<? super C, ? super Throwable> listener) {
        this.set = set;
        this.listener = listener;
    }

    /** The thread that has run {@code failed}. */
    void tell(C failed, Throwable failure) {
        try {
            listener.accept(failed, failure);
        } catch (Throwable refused) {
            if (FatalErrors.endsThread(refused)) {
                throw refused;
            }
            if (refused instanceof InterruptedException) { // thrown behind the compiler's back
                Thread.currentThread().interrupt();
            }
            set.failures().log("the failure listener of %s failed", set, refused);
        }
    }
}
