package org.cabrank.lf.stream.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.cabrank.lf.FatalErrors;

/** Tasks that other threads hand to a connection. Anybody adds; the claim holder runs them. */
final class Mailbox {
    /** Named bound: tasks run in one go, before others have their turn. */
    static final int TASKS_MAX = 256;

    private static final VarHandle SIZE;

    static {
        try {
            SIZE = MethodHandles.lookup().findVarHandle(Mailbox.class, "size", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile ConcurrentLinkedQueue<Runnable> tasks;
    private volatile boolean closed;

    /** Tasks that were added and not taken; for a moment more than there are. */
    private volatile int size;

    /** False: the connection is gone, and the task will not run. */
    boolean add(Runnable task) {
        if (closed) {
            return false;
        }
        ConcurrentLinkedQueue<Runnable> queue = queue();
        SIZE.getAndAdd(this, 1);
        queue.add(task);
        // Closed meanwhile: either the closing thread runs it, or it can still be taken back here.
        return !closed || !queue.remove(task);
    }

    private ConcurrentLinkedQueue<Runnable> queue() {
        if (tasks == null) {
            synchronized (this) {
                if (tasks == null) {
                    tasks = new ConcurrentLinkedQueue<>();
                }
            }
        }
        return tasks;
    }

    /** Tasks that wait. Any thread. */
    int size() {
        return closed ? 0 : size;
    }

    /** The next task, which its taker runs; null: there is none. */
    Runnable poll() {
        Runnable next = tasks == null ? null : tasks.poll();
        if (next != null) {
            SIZE.getAndAdd(this, -1);
        }
        return next;
    }

    /** The connection is gone; what is left still runs, so that nobody waits for it in vain. The answer: what failed. */
    Throwable close() {
        closed = true;
        Throwable failure = null;
        Runnable task = tasks == null ? null : tasks.poll();
        while (task != null) {
            try {
                task.run();
            } catch (Throwable thrown) {
                if (FatalErrors.endsThread(thrown)) {
                    throw thrown;
                }
                failure = thrown; // the other tasks run, and the connection is closed to its end
            }
            task = tasks.poll();
        }
        return failure;
    }
}
