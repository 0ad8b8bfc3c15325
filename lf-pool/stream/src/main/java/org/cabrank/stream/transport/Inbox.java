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
 * The order of everything that happens to a connection: callbacks come one at a time, mail (the tasks and calls of other threads, and calls
 * that wait behind them) runs in the order in which it was added, offloaded work holds the callbacks back until its continuation has run,
 * and a callback that waits for a reply gives the connection up. The processing of that callback ends with {@link LetGo}, because another
 * thread may process the connection by then. Used by the claim holder, except for methods that say otherwise.
 */
final class Inbox {
    static final int MAIL = Ready.POSTED;

    /** Number of mails that run before other work has its turn. */
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

    /** Nested waits so far: a callback that finds the number unchanged still holds the claim. */
    private int timesLetGo;

    /** Number of callbacks that wait for a reply or have not returned since. */
    private int waiting;

    /** True while mail with a fixed place in the order runs: its calls act before later mail. */
    private boolean atItsPlace;

    /** True if a task at its place has offloaded work: its continuation is at its place too. */
    private boolean continuesAtItsPlace;

    /** True while a continuation runs that a close, or an end of the output, waits for. */
    private boolean continuing;

    /** Callbacks that have ended or entered a nested wait. */
    private int callbacks;

    /** True if the present callback has added mail, or awaits other mail, which runs when the callback ends. */
    private boolean ownMail;

    int ownBytes;

    /** True if a callback has closed the connection by its own mail that has not run yet. */
    private boolean closeMailed;

    Inbox(StreamConnection connection, Outbound outbound) {
        this.connection = connection;
        this.outbound = outbound;
    }

    boolean isInCallback() {
        return connection.handle.isHeldByCaller() && outbound.isEntered();
    }

    /**
     * Any thread. Returns true in a callback if a call acts at once. Earlier mail runs now, up to the first task; after a task, the call
     * becomes mail too. A task acts in its place. After an offload, and in a continuation that an end waits for, calls act at once.
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

    /** Runs earlier calls of other threads, up to the first task, before received input: the peer may have sent it because of them. */
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

    /** Any thread. Returns true in a callback, whose change acts at once and replaces earlier ones, except in a task. */
    boolean supersedes(Mailbox.Change change) {
        boolean inCallback = isInCallback();
        if (inCallback && !atItsPlace && mailbox.size() > 0) {
            mailbox.withdraw(change);
        }
        return inCallback;
    }

    /**
     * Any thread. Does {@link #actsAtOnce}, but in a callback that has offloaded work the change goes by mail after the continuation, which
     * may still write. A callback makes its change without a lambda: with lambdas, later calls of all threads hung in a test whose handlers
     * overflow the stack, probably because a lambda was linked without stack.
     */
    boolean mayChangeAtOnce() {
        return !offloading && actsAtOnce();
    }

    /** Any thread. Returns false if the connection is gone, as the other variants do. */
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

    /** Any thread. Returns true in a callback, whose mail runs when the callback ends. */
    boolean noteOwnMail() {
        boolean own = isInCallback() && !offloading;
        ownMail |= own;
        return own;
    }

    /** Any thread. Adds mail; {@link #notifyIf} follows. Returns false if the connection is gone. */
    boolean add(Mailbox.Mail mail) {
        return mailbox.add(mail);
    }

    void noteOwnBytes(int count) {
        ownMail = true;
        ownBytes += count;
    }

    /** Any thread. A moving thread first changes the handle, and then checks for mail. */
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

    /** Any thread. */
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

    /** Called at the end of a callback. Runs its own mail and earlier mail before anything else happens. */
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

    /** Called when the connection is gone. The remaining mail still runs. */
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

    /** Returns true if a callback has offloaded work and its continuation must not run yet. */
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

    /** Returns true if a callback has entered a nested wait since {@code before}: another thread may hold the claim now. */
    boolean hasLetGo(int before) {
        return timesLetGo != before;
    }

    void afterCallback(int before) {
        noteReturned(before);
        if (ownMail) {
            runOwnMail();
        }
    }

    /** Does {@link #afterCallback}, and then the calls that other threads have made until now. */
    void afterCallbackAndMail(int before) {
        requireKept(before);
        ownMail |= mailbox.size() > 0;
        afterCallback(before);
    }

    /** Clears the interrupt status that the returned callback has left, so that the next callback does not see it. */
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

    /** Called when a callback that has waited returns; the caller does not hold the claim any more. */
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
