package org.cabrank.lf.handle;

/**
 * Offloaded work that ends early when its result is not needed any more, for instance because the client has gone. Work that has not begun
 * is dropped; otherwise its {@link Cancellation} is set, and its thread is interrupted. If the work has effects that must happen in any
 * case, offload a {@link java.util.concurrent.Callable} instead, which always runs to its end.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface CancellableWork<T> {

    /** Does the work, on an executor's thread. An exception is treated like that of a {@code Callable}; ignored after cancellation. */
    T call(Cancellation cancellation) throws Exception;
}
