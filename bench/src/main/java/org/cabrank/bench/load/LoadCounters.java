package org.cabrank.bench.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What a worker has done so far. Written by the worker, read by any thread, possibly a moment late. */
final class LoadCounters {

    private static final VarHandle ANSWERS;
    private static final VarHandle BYTES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ANSWERS = lookup.findVarHandle(LoadCounters.class, "answers", long.class);
            BYTES = lookup.findVarHandle(LoadCounters.class, "bytes", long.class);
        } catch (ReflectiveOperationException fieldMissing) {
            throw new ExceptionInInitializerError(fieldMissing);
        }
    }

    private long answers;
    private long bytes;

    void answered(int answerBytes) {
        ANSWERS.setOpaque(this, answers + 1);
        BYTES.setOpaque(this, bytes + answerBytes);
    }

    void checked(int checkedBytes) {
        BYTES.setOpaque(this, bytes + checkedBytes);
    }

    long answersOpaque() {
        return (long) ANSWERS.getOpaque(this);
    }

    long bytesOpaque() {
        return (long) BYTES.getOpaque(this);
    }
}
