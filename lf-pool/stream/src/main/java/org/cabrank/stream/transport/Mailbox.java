package org.cabrank.stream.transport;

import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.stream.transport.DecoratorOutput.CallKind;

/**
 * Tasks and calls that any thread has added and the claim holder runs, in order. A change is never refused. While the mailbox is full, a
 * change replaces an earlier change of the same kind, so the mailbox exceeds its limit only by a few elements.
 */
final class Mailbox {
    private static final AtomicIntegerFieldUpdater<Mailbox> SIZE =
            AtomicIntegerFieldUpdater.newUpdater(Mailbox.class, "size");

    enum Change {
        READING(CallKind.OTHER),
        DEADLINE(CallKind.OTHER),
        OUTPUT(CallKind.END),
        CLOSE(CallKind.END),

        /** A move runs after all output and delays no other calls. It does not run inside a call, because its future may run any code. */
        MOVE(CallKind.ASIDE);

        private final CallKind kind;

        Change(CallKind kind) {
            this.kind = kind;
        }
    }

    /** Each element is a {@link Mail} or a task that another thread has added. */
    private volatile ConcurrentLinkedQueue<Runnable> queue;

    /** For each kind, the latest change that was added to a full mailbox. Null until a full mailbox gets a change. Guarded by this. */
    private Map<Change, ChangeMail> latest;

    private volatile boolean closed;

    /** Number of elements. It may be too high for a moment. */
    private volatile int size;

    static class Mail implements Runnable {
        private final CallKind kind;

        private final Runnable call;

        Mail(CallKind kind, Runnable call) {
            this.kind = kind;
            this.call = call;
        }

        @Override
        public void run() {
            call.run();
        }

        boolean isAct() {
            return kind != CallKind.TASK && kind != CallKind.ASIDE;
        }
    }

    static final class OwnTask extends Mail {
        private final int callback;

        OwnTask(Runnable task, int callback) {
            super(CallKind.TASK, task);
            this.callback = callback;
        }
    }

    private static final class ChangeMail extends Mail {
        private final Change change;

        private final AtomicReference<Runnable> act;

        ChangeMail(Change change, Runnable act) {
            super(change.kind, null);
            this.change = change;
            this.act = new AtomicReference<>(act);
        }

        @Override
        public void run() {
            act.getAndSet(null).run();
        }
    }

    private static boolean isAct(Runnable mail) {
        return mail instanceof Mail call && call.isAct();
    }

    static boolean isOf(CallKind kind, Runnable mail) {
        return mail instanceof Mail call && call.kind == kind;
    }

    private static void refuse(Runnable act) {
        if (act instanceof ShardMove move) {
            move.refuse();
        }
    }

    /** Adds mail. Returns false if the connection has ended. The mail then does not run. Any thread may call it. */
    boolean add(Runnable mail) {
        if (closed) {
            return false;
        }
        ConcurrentLinkedQueue<Runnable> begun = queue;
        ConcurrentLinkedQueue<Runnable> own = begun == null ? begunQueue() : begun;
        SIZE.incrementAndGet(this);
        boolean added = false;
        try {
            added = own.add(mail);
        } finally {
            if (!added) {
                SIZE.decrementAndGet(this);
            }
        }
        // If the mailbox was closed meanwhile, either the closing thread runs the mail, or the mail is removed here.
        return !closed || !own.remove(mail);
    }

    private synchronized ConcurrentLinkedQueue<Runnable> begunQueue() {
        if (queue == null) {
            queue = new ConcurrentLinkedQueue<>();
        }
        return queue;
    }

    /** Called by any thread. In a full mailbox a change replaces one of the same kind. Returns false if the connection has ended. */
    boolean add(Change change, Runnable act, int max) {
        ChangeMail mail = new ChangeMail(change, act);
        if (size() < max) {
            return add(mail);
        }
        Runnable replaced = replaceLatest(change, mail, act);
        if (replaced != null) {
            refuse(replaced);
            return true;
        }
        boolean added = false;
        try {
            added = add(mail);
        } finally {
            Runnable last = added ? act : mail.act.getAndSet(null);
            if (last != act) { // a later change has replaced this one
                refuse(last);
            }
        }
        return added;
    }

    /** If mail of this kind waits, replaces its act by {@code act} and returns the former. If not, keeps {@code mail} and returns null. */
    private synchronized Runnable replaceLatest(Change change, ChangeMail mail, Runnable act) {
        if (latest == null) {
            latest = new EnumMap<>(Change.class);
        }
        ChangeMail earlier = latest.get(change);
        Runnable replaced = earlier == null ? null : earlier.act.getAndUpdate(before -> before == null ? null : act);
        if (replaced == null) {
            latest.put(change, mail);
        }
        return replaced;
    }

    int size() {
        return closed ? 0 : size;
    }

    Runnable poll() {
        Runnable next = queue == null ? null : queue.poll();
        if (next != null) {
            SIZE.decrementAndGet(this);
        }
        return next;
    }

    boolean hasEnd() {
        return size() > 0 && queue.stream().anyMatch(mail -> isOf(CallKind.END, mail));
    }

    boolean isClosed() {
        return closed;
    }

    private void remove(Iterator<Runnable> each) {
        each.remove();
        SIZE.decrementAndGet(this);
    }

    /**
     * Called when {@code callback} makes a call. Runs earlier mail up to the first task of another callback or thread. If {@code ends} is
     * false, also stops at the first mail of kind END. Leaves tasks of this callback for later. Returns false if it has stopped.
     */
    boolean runActs(int callback, boolean ends) {
        boolean behindOwnTask = false;
        Iterator<Runnable> each = queue.iterator();
        for (int left = size(); left > 0 && each.hasNext(); left--) {
            Runnable next = each.next();
            if (isAct(next) && !behindOwnTask && (ends || !isOf(CallKind.END, next))) {
                remove(each);
                next.run();
            } else if (next instanceof OwnTask own && own.callback == callback) {
                behindOwnTask = true;
            } else if (!isOf(CallKind.ASIDE, next)) {
                return false;
            }
        }
        return true;
    }

    void runOutput() {
        if (size() == 0) {
            return;
        }
        for (Iterator<Runnable> each = queue.iterator(); each.hasNext(); ) {
            Runnable next = each.next();
            if (isOf(CallKind.WRITE, next)) {
                remove(each);
                next.run();
            } else if (isAct(next)) {
                return;
            }
        }
    }

    void withdraw(Change change) {
        for (Iterator<Runnable> each = queue.iterator(); each.hasNext(); ) {
            if (each.next() instanceof ChangeMail earlier && earlier.change == change) {
                remove(each);
                refuse(earlier.act.getAndSet(null));
            }
        }
    }

    /** Called when the connection has ended. Runs the remaining mail even if a task throws, because threads may wait for it. */
    void close(HandleSet set, Object owner) {
        closed = true;
        for (Runnable left = poll(); left != null; left = poll()) {
            try {
                left.run();
                set.setInterruptAside();
            } catch (Throwable thrown) {
                set.setInterruptAside();
                set.failures().log("a task of %s failed", owner, thrown);
            }
        }
    }
}
