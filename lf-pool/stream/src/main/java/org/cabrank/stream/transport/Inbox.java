package org.cabrank.stream.transport;

import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.Continuation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.transport.DecoratorOutput.CallKind;

/**
 * Keeps the order of all events of a connection.
 *
 * <ul>
 *   <li>Callbacks run one at a time.
 *   <li>Mail runs in the order in which it was added. Mail is the tasks and calls of other threads, and the calls that wait behind them.
 *   <li>While work is offloaded, no callback runs before its continuation.
 *   <li>A callback that waits for a reply gives up the claim. The processing that has called it ends with {@link LetGo}, because another
 *       thread may process the connection by then.
 * </ul>
 *
 * <p>Used by the claim holder, except for methods whose comment names other threads.
 */
final class Inbox {
    static final int MAIL = Ready.POSTED;

    /** Maximum number of mails that run before the thread does other work. */
    private static final int MAIL_MAX = 256;

    static {
        Mailbox.Change.values(); // initialized now: an initialization that overflows the stack fails for good
    }

    private final StreamConnection connection;
    private final Outbound outbound;
    private final Mailbox mailbox = new Mailbox();

    /** True if a callback has offloaded work whose continuation has not run. */
    private boolean offloading;

    private Callback continuation;

    /** Number of nested waits so far. If the number is unchanged after a callback, the thread still holds the claim. */
    private int timesLetGo;

    /** Number of callbacks that have begun to wait for a reply and have not returned. */
    private int waiting;

    /** True while mail runs that has a place in the order of the calls. Calls that this mail makes act before later mail. */
    private boolean atItsPlace;

    /** True if mail with a place in the order of the calls has begun the offloaded work. The continuation then has the same place. */
    private boolean continuesAtItsPlace;

    /** True while a continuation runs and a close or an end of the output waits for it. */
    private boolean continuing;

    /** Number of callbacks that have ended or begun a nested wait. */
    private int callbacks;

    /** True if mail must run at the end of the present callback, for example because the callback has added it. */
    private boolean ownMail;

    int ownBytes;

    /** True if a callback has closed the connection and the close waits in the mail. */
    private boolean closeMailed;

    Inbox(StreamConnection connection, Outbound outbound) {
        this.connection = connection;
        this.outbound = outbound;
    }

    boolean isInCallback() {
        return connection.handle.isHeldByCaller() && outbound.isEntered();
    }

    /**
     * Returns true if a call in a callback acts at once. First runs earlier mail, up to the first task. If a task waits, a call acts at
     * once only if a task makes it, if the callback has offloaded work, or if a close waits for this continuation. Any thread may call it.
     */
    boolean actsAtOnce() {
        return isInCallback() && (mailbox.size() == 0 || atItsPlace || actsBehindMail());
    }

    private boolean actsBehindMail() {
        boolean atOnce = offloading || continuing;
        atItsPlace = true; // calls of the mail take effect in its turn
        try {
            return mailbox.runActs(callbacks, !atOnce) || atOnce;
        } finally {
            atItsPlace = false;
        }
    }

    /** Runs earlier calls of other threads, up to the first task, because received input may be the peer's answer to them. */
    void actBeforeInput() {
        if (mailbox.size() > 0) {
            boolean before = atItsPlace;
            atItsPlace = true; // calls of the mail take effect in its turn
            try {
                mailbox.runActs(callbacks, true);
            } finally {
                atItsPlace = before;
            }
        }
    }

    /** Returns true in a callback, where a change acts at once. Unless a task makes the change, withdraws earlier changes of its kind. */
    boolean supersedes(Mailbox.Change change) {
        boolean inCallback = isInCallback();
        if (inCallback && !atItsPlace && mailbox.size() > 0) {
            mailbox.withdraw(change);
        }
        return inCallback;
    }

    /**
     * As {@link #actsAtOnce}, but returns false in a callback that has offloaded work, because the continuation may still write. In a
     * callback a change is made without a lambda, because a lambda that was linked with too little stack has probably made later calls of
     * all threads hang in a test. Any thread may call this method.
     */
    boolean mayChangeAtOnce() {
        return !offloading && actsAtOnce();
    }

    boolean handOver(CallKind kind, Runnable call) {
        if (kind != CallKind.TASK) {
            return handOver(new Mailbox.Mail(kind, call));
        }
        StackRoom.require(); // otherwise the task could be added although the caller gets an exception
        return notifyIf(mailbox.add(isInCallback() ? new Mailbox.OwnTask(call, callbacks) : call));
    }

    boolean handOver(Mailbox.Mail call) {
        StackRoom.require();
        if (call.isAct()) {
            noteOwnMail();
        }
        return notifyIf(mailbox.add(call));
    }

    /** A change is never refused. */
    boolean handOver(Mailbox.Change change, Runnable act) {
        StackRoom.require();
        boolean own = noteOwnMail();
        closeMailed |= own && change == Mailbox.Change.CLOSE;
        int max = own ? Integer.MAX_VALUE : connection.context().limits().mailboxMax();
        return notifyIf(mailbox.add(change, act, max));
    }

    /** Returns true in a callback. The mail of the callback then runs at its end. Any thread may call this method. */
    boolean noteOwnMail() {
        boolean own = isInCallback() && !offloading;
        ownMail |= own;
        return own;
    }

    /** Adds mail. The caller then calls {@link #notifyIf}. Returns false if the connection has ended. Any thread may call it. */
    boolean add(Mailbox.Mail mail) {
        return mailbox.add(mail);
    }

    void noteOwnBytes(int count) {
        ownMail = true;
        ownBytes += count;
    }

    /** Called by any thread. Posts if mail was added. A move changes the handle before it checks for mail, so no mail is missed. */
    boolean notifyIf(boolean added) {
        if (added) {
            connection.handleVolatile().post(MAIL);
        }
        return added;
    }

    boolean hasMail() {
        return mailbox.size() > 0;
    }

    boolean isCloseMailed() {
        return closeMailed;
    }

    boolean isFull() {
        boolean full = mailbox.size() >= connection.context().limits().mailboxMax();
        if (full) {
            connection.context().writeRefused();
        }
        return full;
    }

    /** Any thread may call this method. */
    void requireRoom() {
        if (isFull()) {
            throw new RejectedExecutionException(describeFull());
        }
    }

    String describeFull() {
        return connection + " has been handed " + connection.context().limits().mailboxMax()
                + " tasks and writes that have not run yet, which is the limit; hand over fewer at a time, or raise"
                + " StreamLimits.mailboxMax";
    }

    void runMail() {
        for (int ran = 0; (ran < MAIL_MAX || ownMail) && !offloading; ran++) {
            Runnable next = mailbox.poll();
            if (next == null) {
                connection.mailed.awaitRoomForRefused();
                return;
            }
            run(next);
        }
        connection.handle.post(MAIL);
    }

    private void run(Runnable mail) {
        int before = timesLetGo;
        atItsPlace = !Mailbox.isOf(CallKind.ASIDE, mail);
        try {
            mail.run();
        } finally {
            if (!hasLetGo(before)) {
                atItsPlace = false;
            }
        }
        noteReturned(before);
    }

    /** Called at the end of a callback. Runs all mail up to the last mail of this callback before any other event. */
    private void runOwnMail() {
        mailbox.add(this::ownMailRan);
        while (ownMail && !offloading) {
            Runnable next = mailbox.poll();
            if (next == null) { // the mailbox was closed meanwhile
                ownMailRan();
                return;
            }
            if (Mailbox.isOf(CallKind.ASIDE, next)) {
                handOver((Mailbox.Mail) next); // no call comes after this one
            } else {
                run(next);
            }
        }
        if (offloading) {
            atItsPlace = true;
            try {
                mailbox.runOutput(); // the work may wait for the peer's answer
            } finally {
                atItsPlace = false;
            }
        }
    }

    private void ownMailRan() {
        ownMail = false;
        ownBytes = 0;
        closeMailed = false;
    }

    boolean isClosed() {
        return mailbox.isClosed();
    }

    /** Called when the connection has ended. The remaining mail still runs. */
    void close(Handle ownHandle) {
        mailbox.close(ownHandle.handleSet(), connection);
    }

    interface Callback {
        void call() throws Exception;
    }

    void requireMayOffload(ConnectionContinuation<?> wanted) {
        Objects.requireNonNull(wanted, "continuation");
        if (!isInCallback()) {
            throw new IllegalStateException("only a callback of " + connection + " may hand its work away");
        }
        if (!offloading && (connection.isEnding() || closeMailed)) {
            throw new IllegalStateException(connection + " is being closed");
        }
    }

    void noteOffloaded() {
        continuesAtItsPlace = atItsPlace;
        offloading = true;
    }

    boolean isOffloading() {
        return offloading;
    }

    boolean isHeldBack() {
        return offloading && continuation == null;
    }

    <T> Continuation<T> continuing(ConnectionContinuation<? super T> wanted) {
        return new Continuation<T>() {
            @Override
            public void resume(Handle ownHandle, T result) throws Exception {
                proceed(() -> wanted.resume(connection, result));
            }

            @Override
            public void failed(Handle ownHandle, Throwable failure) throws Exception {
                proceed(() -> wanted.failed(connection, failure));
            }
        };
    }

    private void proceed(Callback with) throws Exception {
        continuation = with;
        connection.handleEvent(connection.handle, MAIL); // mail handed over during the offload comes before bytes
    }

    void callContinuation() throws Exception {
        if (continuation == null) {
            return;
        }
        Callback due = continuation;
        continuation = null;
        offloading = false;
        connection.inbound.workDone();
        connection.timer.noteProgress(); // no thread has read from the peer during the offload
        int before = timesLetGo;
        atItsPlace = continuesAtItsPlace;
        continuing = !atItsPlace && mailbox.hasEnd();
        due.call();
        requireKept(before);
        atItsPlace = false;
        continuing = false;
        afterCallback(before);
    }

    /** Called in a callback before it waits for a reply. */
    void letGo() {
        timesLetGo++;
        callbacks++;
        waiting++;
        atItsPlace = false;
        continuing = false;
        if (ownMail) {
            mailbox.add(this::ownMailRan);
        }
    }

    int timesLetGo() {
        return timesLetGo;
    }

    int callback() {
        return callbacks;
    }

    /** Returns true if a callback has waited for a reply since {@code before}. Another thread may then hold the claim. */
    boolean hasLetGo(int before) {
        return timesLetGo != before;
    }

    void afterCallback(int before) {
        noteReturned(before);
        if (ownMail) {
            runOwnMail();
        }
    }

    void afterCallbackAndMail(int before) {
        requireKept(before);
        ownMail |= mailbox.size() > 0;
        afterCallback(before);
    }

    /** Notes that a callback has returned. Clears the interrupt status, so that the next callback does not see it. */
    private void noteReturned(int before) {
        requireKept(before);
        callbacks++;
        if (Thread.currentThread().isInterrupted()) {
            connection.handle.handleSet().setInterruptAside();
        }
    }

    void requireKept(int before) {
        if (hasLetGo(before)) {
            throw LetGo.SIGNAL;
        }
    }

    /** Called when a callback that has waited for a reply returns. The caller no longer holds the claim. */
    void callbackOver() {
        handOver(CallKind.TASK, () -> waiting--); // after the writes of that callback
    }

    boolean callbackWaits() {
        return waiting > 0;
    }

    static final class LetGo extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private static final LetGo SIGNAL = new LetGo();

        private LetGo() {
            super("a callback has waited for a reply", null, false, false);
        }
    }
}
