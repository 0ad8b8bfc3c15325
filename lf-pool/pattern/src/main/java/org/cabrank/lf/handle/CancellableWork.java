package org.cabrank.lf.handle;

/**
 * Offloaded work that is cancelled if its handle is closed. Work that has not begun is dropped. Work that has begun is interrupted, and its
 * {@link Cancellation} is set. Work whose effects must happen in any case should be a {@link java.util.concurrent.Callable}.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface CancellableWork<T> {

    /** Does the work on a thread of the executor. If it throws, the continuation fails, unless the work was cancelled. */
    T call(Cancellation cancellation) throws Exception;
}
