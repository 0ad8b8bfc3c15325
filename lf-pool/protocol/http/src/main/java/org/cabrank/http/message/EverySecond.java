package org.cabrank.http.message;

import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** A value that is made once in each second, when a thread asks for it. Any thread may ask. */
public final class EverySecond<T> {

    private record Made<T>(long second, T value) {}

    private final LongFunction<T> maker;
    private final LongSupplier clock;
    private volatile Made<T> last;

    /** @param maker called with seconds since 1970. Several threads may call it at the same time, for the same second */
    public EverySecond(LongFunction<T> maker) {
        this(maker, System::currentTimeMillis);
    }

    /** @param clock milliseconds since 1970 */
    EverySecond(LongFunction<T> maker, LongSupplier clock) {
        this.maker = maker;
        this.clock = clock;
        last = made(clock.getAsLong() / 1_000);
    }

    public T current() {
        long second = clock.getAsLong() / 1_000;
        Made<T> present = last;
        if (present.second != second) {
            present = made(second);
            last = present;
        }
        return present.value;
    }

    private Made<T> made(long second) {
        return new Made<>(second, maker.apply(second));
    }
}
