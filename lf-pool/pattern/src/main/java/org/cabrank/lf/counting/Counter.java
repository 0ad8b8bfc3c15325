package org.cabrank.lf.counting;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A count with one writer at a time and any number of readers, which may see an older value. */
public final class Counter {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private long value;

    public void add(long count) {
        VALUE.setOpaque(this, (long) VALUE.get(this) + count);
    }

    public long valueOpaque() {
        return (long) VALUE.getOpaque(this);
    }
}
