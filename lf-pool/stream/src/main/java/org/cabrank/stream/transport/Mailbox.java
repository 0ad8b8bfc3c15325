package org.cabrank.stream.transport;

import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.cabrank.lf.HandleSet;

/**
 * Tasks and changes that other threads hand to a connection. Any thread adds; the claim holder runs them in the order in which they
 * were added.
 *
 * <p>Changes are never refused: while the mailbox is full, the latest change of a kind replaces an earlier one that has not run, so
 * that the mailbox holds only a few more than its limit.
 */
final class Mailbox {
    /** Named bound: tasks run in one go, before other work has its turn. */
    static final int TASKS_MAX = 256;

    private static final AtomicIntegerFieldUpdater<Mailbox> SIZE =
            AtomicIntegerFieldUpdater.newUpdater(Mailbox.class, "size");

    /** A kind of change, of which only the latest counts. */
    enum Kind {
        READING,
        OUTPUT,
        CLOSE,
        DEADLINE,
        MOVE;

        boolean isEnd() {
            return this == OUTPUT || this == CLOSE;
        }
    }

    /**
     * Mail that runs no code of the service: a write, a change. A call in a callback may run it inside itself; a task and a move, whose
     * future may have dependent actions, it may not.
     */
    interface Act extends Runnable {}

    /** Output, which goes out even while a callback's work is offloaded. */
    interface Output extends Act {}

    /** An end, by a close or of the output, which waits for the continuation of offloaded work. */
    interface End extends Act {}

    /** The run of a timer, or work of a decorator: it has no place among the calls. */
    interface Timed extends Runnable {}

    /** A task that the callback of that number has added. */
    record CallbacksTask(Runnable task, int callback) implements Runnable {
        @Override
        public void run() {
            task.run();
        }
    }

    interface Change extends Runnable {
        /** Called by the thread that replaces the change, which does not run. */
        default void replaced() {}
    }

    private volatile ConcurrentLinkedQueue<Runnable> tasks;

    /** Latest change of each kind that was added while the mailbox was full and has not run; null until then. Guarded by this. */
    private Map<Kind, Change> latest;

    private volatile boolean closed;

    /** Tasks that were added and not taken; for a moment more than there are. */
    private volatile int size;

    /** False: the connection is gone, and the task will not run. */
    boolean add(Runnable task) {
        if (closed) {
            return false;
        }
        ConcurrentLinkedQueue<Runnable> begun = tasks;
        ConcurrentLinkedQueue<Runnable> queue = begun == null ? begunQueue() : begun;
        SIZE.incrementAndGet(this);
        boolean added = false;
        try {
            added = queue.add(task);
        } finally {
            if (!added) { // no memory
                SIZE.decrementAndGet(this);
            }
        }
        // If the mailbox was closed since, either the closing thread runs the task, or the task can still be removed
        // here.
        return !closed || !queue.remove(task);
    }

    /** Adds a change, or replaces one if {@code max} tasks wait. False: the connection is gone. */
    boolean add(Kind kind, Change change, int max) {
        return size() < max ? add(new Posted(kind, change)) : addLatest(kind, change);
    }

    private boolean addLatest(Kind kind, Change change) {
        Change before = swapLatest(kind, change);
        if (before != null) {
            before.replaced();
            return true;
        }
        boolean added = false;
        try {
            added = add(new Posted(kind, null));
        } finally {
            if (!added) {
                giveUpLatest(kind, change);
            }
        }
        return added;
    }

    private final class Posted implements Runnable {
        final Kind kind;

        /** Null: the {@link #latest} of that kind. */
        private final Change change;

        Posted(Kind kind, Change change) {
            this.kind = kind;
            this.change = change;
        }

        private Change take() {
            return change == null ? swapLatest(kind, null) : change;
        }

        @Override
        public void run() {
            Change due = take();
            if (due != null) {
                due.run();
            }
        }

        void withdraw() {
            Change due = take();
            if (due != null) {
                due.replaced();
            }
        }
    }

    private static boolean isEnd(Runnable mail) {
        return mail instanceof End || mail instanceof Mailbox.Posted posted && posted.kind.isEnd();
    }

    private static boolean isAct(Runnable mail) {
        return mail instanceof Act || mail instanceof Mailbox.Posted posted && posted.kind != Kind.MOVE;
    }

    /** Claim holder: withdraws the changes of a kind, because of a later one. */
    void withdraw(Kind kind) {
        for (Iterator<Runnable> each = tasks.iterator(); each.hasNext(); ) {
            if (each.next() instanceof Posted posted && posted.kind == kind) {
                each.remove();
                SIZE.decrementAndGet(this);
                posted.withdraw();
            }
        }
    }

    /** Withdraws a change that could not be added, and the one that has replaced it since. */
    private void giveUpLatest(Kind kind, Change change) {
        Change last = swapLatest(kind, null);
        if (last != null && last != change) {
            last.replaced();
        }
    }

    /** Returns the change before; {@code change} null: there is none from now on. */
    private synchronized Change swapLatest(Kind kind, Change change) {
        if (latest == null) {
            latest = new EnumMap<>(Kind.class);
        }
        return change == null ? latest.remove(kind) : latest.put(kind, change);
    }

    private synchronized ConcurrentLinkedQueue<Runnable> begunQueue() {
        if (tasks == null) {
            tasks = new ConcurrentLinkedQueue<>();
        }
        return tasks;
    }

    boolean isClosed() {
        return closed;
    }

    /** Any thread: number of tasks that wait. */
    int size() {
        return closed ? 0 : size;
    }

    /**
     * Claim holder, in a call of a callback: runs what was added before that call, up to the first task.
     *
     * @param callback the number of the callback, whose own tasks run behind the call
     * @param ends ends are run, too
     * @return false: a task stands in front, or an end
     */
    boolean runActs(int callback, boolean ends) {
        boolean behindOwnTask = false;
        Iterator<Runnable> each = tasks.iterator();
        for (int left = size(); left > 0 && each.hasNext(); left--) {
            Runnable next = each.next();
            if (isAct(next) && !behindOwnTask && (ends || !isEnd(next))) {
                each.remove();
                SIZE.decrementAndGet(this);
                next.run();
            } else if (next instanceof CallbacksTask own && own.callback == callback) {
                behindOwnTask = true;
            } else if (!(next instanceof Timed)) {
                return false;
            }
        }
        return true;
    }

    boolean hasEnd() {
        return size() > 0 && tasks.stream().anyMatch(Mailbox::isEnd);
    }

    /** Claim holder: runs the output that was added, even behind tasks, but not behind a change. */
    void runOutput() {
        if (size() == 0) {
            return;
        }
        for (Iterator<Runnable> each = tasks.iterator(); each.hasNext(); ) {
            Runnable next = each.next();
            if (next instanceof Output) {
                each.remove();
                SIZE.decrementAndGet(this);
                next.run();
            } else if (isAct(next)) {
                return;
            }
        }
    }

    Runnable poll() {
        Runnable next = tasks == null ? null : tasks.poll();
        if (next != null) {
            SIZE.decrementAndGet(this);
        }
        return next;
    }

    /**
     * The connection is gone; what is left still runs, so that nobody waits for it in vain, even if a task throws.
     *
     * @param owner for messages
     */
    void close(HandleSet set, Object owner) {
        closed = true;
        Runnable task = tasks == null ? null : tasks.poll();
        while (task != null) {
            try {
                task.run();
                set.setInterruptAside();
            } catch (Throwable thrown) {
                set.setInterruptAside(); // a logger that writes to a channel would close it
                set.failures().log("a task of %s failed", owner, thrown);
            }
            task = tasks.poll();
        }
    }
}
