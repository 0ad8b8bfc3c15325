package org.cabrank.lf.handle;

/**
 * Offloaded work that ends early when nobody wants its result any more, for instance because the client has gone: work that has
 * not begun by then is never begun; else its {@link Cancellation} tells, and its thread is interrupted. For work whose effects
 * elsewhere must not depend on that, offload a {@link java.util.concurrent.Callable}, which is done to its end in any case.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface CancellableWork<T> {

    /**
     * Does the work, on a thread of the executor.
     *
     * @throws Exception as a {@link java.util.concurrent.Callable}; after the cancellation it is dropped with the result, without
     *     a log line
     */
    T call(Cancellation cancellation) throws Exception;
}
