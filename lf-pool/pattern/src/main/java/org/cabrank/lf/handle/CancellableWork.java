package org.cabrank.lf.handle;

/**
 * Offloaded work that ends early when its result is unwanted, for instance because the client has gone: work that has not begun is never
 * begun; else its {@link Cancellation} is set, and its thread is interrupted. Work with effects elsewhere that must happen in any case is
 * offloaded as a {@link java.util.concurrent.Callable}, which is done to its end.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface CancellableWork<T> {

    /** Does the work, on an executor's thread. Exceptions count as a {@code Callable}'s; after the cancellation they leave no log line. */
    T call(Cancellation cancellation) throws Exception;
}
