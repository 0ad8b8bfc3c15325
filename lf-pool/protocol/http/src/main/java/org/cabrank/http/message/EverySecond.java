package org.cabrank.http.message;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;

/**
 * Something that depends on the second of now, made anew in each by a thread of its own, as long as the process lives: for
 * what servers have once. Whoever asks does not look at the clock. That is cheaper, and no request finds that a second has
 * passed: a branch that is taken once in a hundred thousand times is left out of compiled code, which is thrown away when
 * it is taken.
 */
public final class EverySecond<T> {

    private static final long SECOND_MS = 1_000;

    private final LongFunction<T> maker;
    private volatile T current;

    /** @param maker is given seconds since 1970 */
    public EverySecond(LongFunction<T> maker) {
        this.maker = maker;
        current = maker.apply(System.currentTimeMillis() / SECOND_MS);
        Thread thread = new Thread(this::renew, "http-date");
        thread.setDaemon(true);
        thread.start();
    }

    /** That of now, or of some milliseconds ago. */
    public T current() {
        return current;
    }

    private void renew() {
        for (; ; ) {
            long ms = System.currentTimeMillis();
            current = maker.apply(ms / SECOND_MS);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SECOND_MS - ms % SECOND_MS));
        }
    }
}
