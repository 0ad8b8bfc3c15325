package org.cabrank.bench.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counters of a worker. Only the worker writes them. Any thread may read them, and may read slightly old values. */
final class LoadCounters {

    private static final VarHandle ANSWERS = field("answers");
    private static final VarHandle BYTES = field("bytes");
    private static final VarHandle TIMED_SENDS = field("timedSends");
    private static final VarHandle LATE_SENDS = field("lateSends");
    private static final VarHandle PORT_WAITS = field("portWaits");

    private long answers;
    private long bytes;
    private long timedSends;
    private long lateSends;
    private long portWaits;

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(LoadCounters.class, name, long.class);
        } catch (ReflectiveOperationException fieldMissing) {
            throw new ExceptionInInitializerError(fieldMissing);
        }
    }

    void answered(int answerBytes) {
        ANSWERS.setOpaque(this, answers + 1);
        BYTES.setOpaque(this, bytes + answerBytes);
    }

    void checked(int checkedBytes) {
        BYTES.setOpaque(this, bytes + checkedBytes);
    }

    /** Counts requests with a due time. {@code late} is true if they could have been sent at that time, but were sent later. */
    void sentOnTime(int sends, boolean late) {
        TIMED_SENDS.setOpaque(this, timedSends + sends);
        if (late) {
            LATE_SENDS.setOpaque(this, lateSends + sends);
        }
    }

    void waitedForPort() {
        PORT_WAITS.setOpaque(this, portWaits + 1);
    }

    long answersOpaque() {
        return (long) ANSWERS.getOpaque(this);
    }

    long bytesOpaque() {
        return (long) BYTES.getOpaque(this);
    }

    long timedSendsOpaque() {
        return (long) TIMED_SENDS.getOpaque(this);
    }

    long lateSendsOpaque() {
        return (long) LATE_SENDS.getOpaque(this);
    }

    long portWaitsOpaque() {
        return (long) PORT_WAITS.getOpaque(this);
    }
}
