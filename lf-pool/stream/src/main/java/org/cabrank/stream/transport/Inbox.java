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
 * The order of everything that happens to a connection: callbacks come one at a time, mail (the tasks and calls of other threads, and
 * calls that wait behind them) runs in the order in which it was added, offloaded work holds the callbacks back until its continuation
 * has run, and a callback that waits for a reply ({@link org.cabrank.stream.Connection#newReply}) gives the connection up.
 *
 * <p>A processing whose callback has waited ends with {@link LetGo}, because another thread may process the connection by then. By
 * the claim holder, except for methods that say otherwise.
 */
final class Inbox {
    /** Posted: there is mail. */
    static final int MAIL = Ready.POSTED;

    /** Named bound: mail run in one go, before other work has its turn. */
    private static final int MAIL_MAX = 256;

    static {
        Mailbox.Change
                .values(); // initializes the class now: where a stack ends, that would fail, and never be tried again
    }

    private final StreamConnection connection;
    private final Outbound outbound;
    private final Mailbox mailbox = new Mailbox();

    /** A callback has offloaded work whose continuation has not run yet. */
    private boolean offloading;

    private Callback continuation;

    /** Grows when a callback lets go of the connection: a callback that finds it unchanged still holds the claim. */
    private int timesLetGo;

    /** Number of callbacks that wait, or have not returned since. */
    private int waiting;

    /** Mail that has a place among the calls runs, and its calls act before the mail behind it. */
    private boolean atItsPlace;

    /** The task whose work is offloaded was at its place, and so is its continuation. */
    private boolean continuesAtItsPlace;

    /** A continuation runs that an end waits for. */
    private boolean continuing;

    /** Number of callbacks that have ended, or have let go of the connection. */
    private int callbacks;

    /** The present callback has added mail, or awaits other mail, which runs when the callback ends. */
    private boolean ownMail;

    /** Bytes of writes in that mail. */
    int ownBytes;

    /** A callback has closed the connection, by mail of its own that has not run. */
    private boolean closeMailed;

    Inbox(StreamConnection connection, Outbound outbound) {
        this.connection = connection;
        this.outbound = outbound;
    }

    // ---- calls ----

    boolean isInCallback() {
        return connection.handle.isHeldByCaller() && outbound.isEntered();
    }

    /**
     * Any thread: returns true in a callback if a call acts at once. Mail that was added before the call is run now, up to the
     * first task, behind which the call becomes mail, too. A task acts where it stands, before the mail behind it. Behind an
     * offload, and in a continuation that an end waits for, calls act at once.
     */
    boolean actsAtOnce() {
        return isInCallback() && (mailbox.size() == 0 || atItsPlace || actsBehindMail());
    }

    private boolean actsBehindMail() {
        boolean atOnce = offloading || continuing;
        atItsPlace = true; // the calls below those of a decorator act where they stand
        try {
            return mailbox.runActs(callbacks, !atOnce) || atOnce;
        } finally {
            atItsPlace = false;
        }
    }

    /**
     * Input was received. Runs the calls of other threads that had returned before, up to the first task: the peer may have sent the
     * input because of them.
     */
    void actBeforeInput() {
        if (mailbox.size() > 0) {
            boolean before = atItsPlace;
            atItsPlace = true; // the calls below those of a decorator act where they stand
            try {
                mailbox.runActs(callbacks, true);
            } finally {
                atItsPlace = before;
            }
        }
    }

    /**
     * Any thread: returns true in a callback. Its change acts at once, and takes the place of earlier ones of the kind. A task, whose
     * calls act where the task stands, leaves those behind it.
     */
    boolean supersedes(Mailbox.Change change) {
        boolean inCallback = isInCallback();
        if (inCallback && !atItsPlace && mailbox.size() > 0) {
            mailbox.withdraw(change);
        }
        return inCallback;
    }

    /**
     * Any thread: like {@link #actsAtOnce}, but in a callback that has offloaded work the change goes by mail, behind the
     * continuation, which may still write. A callback makes its change without a lambda: with lambdas, later calls of all
     * threads hung in a test whose handlers overflow the stack, probably because a lambda was linked where the stack ended.
     */
    boolean mayChangeAtOnce() {
        return !offloading && actsAtOnce();
    }

    /** Any thread: hands over a call or a task. False: the connection is gone. */
    boolean handOver(CallKind kind, Runnable call) {
        if (kind != CallKind.TASK) {
            return handOver(new Mailbox.Mail(kind, call));
        }
        StackRoom.require(); // otherwise the task could be added although the caller is notified of the opposite
        return notifyIf(mailbox.add(isInCallback() ? new Mailbox.OwnTask(call, callbacks) : call));
    }

    /** Any thread: hands over a call. False: the connection is gone. */
    boolean handOver(Mailbox.Mail call) {
        StackRoom.require();
        if (call.isAct()) {
            noteOwnMail();
        }
        return notifyIf(mailbox.add(call));
    }

    /** Any thread: hands over a change, which is never refused. False: the connection is gone. */
    boolean handOver(Mailbox.Change change, Runnable act) {
        StackRoom.require();
        boolean own = noteOwnMail();
        closeMailed |= own && change == Mailbox.Change.CLOSE;
        int max = own ? Integer.MAX_VALUE : connection.context().limits().mailboxMax();
        return notifyIf(mailbox.add(change, act, max));
    }

    /** Any thread: returns true in a callback: its mail runs when it ends. */
    boolean noteOwnMail() {
        boolean own = isInCallback() && !offloading;
        ownMail |= own;
        return own;
    }

    /** Any thread: adds mail; {@link #notifyIf} follows. False: the connection is gone. */
    boolean add(Mailbox.Mail mail) {
        return mailbox.add(mail);
    }

    /** In a callback: so many bytes are written by its own mail. */
    void noteOwnBytes(int count) {
        ownMail = true;
        ownBytes += count;
    }

    /** Any thread. The thread that moves the connection changes the handle first, and looks for mail then. */
    boolean notifyIf(boolean added) {
        if (added) {
            connection.handleVolatile().post(MAIL);
        }
        return added;
    }

    boolean isCloseMailed() {
        return closeMailed;
    }

    /** Any thread: counts a refusal if the inbox is full. */
    boolean isFull() {
        boolean full = mailbox.size() >= connection.context().limits().mailboxMax();
        if (full) {
            connection.context().writeRefused();
        }
        return full;
    }

    /** Any thread: throws if no more tasks and calls are taken. */
    void requireRoom() {
        if (isFull()) {
            throw new RejectedExecutionException(describeFull());
        }
    }

    String describeFull() {
        return connection + " has been handed " + connection.context().limits().mailboxMax()
                + " tasks and writes that it has not come to yet, which is the limit; hand over fewer at a time, or raise"
                + " StreamLimits.mailboxMax";
    }

    // ---- running mail ----

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

    /** The present callback ends: its own mail, and that before it, is run before anything else happens. */
    private void runOwnMail() {
        mailbox.add(this::ownMailRan);
        while (ownMail && !offloading) {
            Runnable next = mailbox.poll();
            if (next == null) { // closed since
                ownMailRan();
                return;
            }
            if (Mailbox.isOf(CallKind.ASIDE, next)) {
                handOver((Mailbox.Mail) next); // no call stands behind it
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

    /** The connection is gone. The mail that is left still runs. */
    void close(Handle ownHandle) {
        mailbox.close(ownHandle.handleSet(), connection);
    }

    // ---- offloaded work ----

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

    /** Returns true if a callback has offloaded work, and its continuation is not to run yet. */
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
        connection.handleEvent(
                connection.handle, MAIL); // mail that was handed over during the offload comes before further bytes
    }

    void callContinuation() throws Exception {
        if (continuation == null) {
            return;
        }
        Callback due = continuation;
        continuation = null;
        offloading = false;
        connection.timer.noteProgress(); // no thread has listened to the peer during the offload
        int before = timesLetGo;
        atItsPlace = continuesAtItsPlace;
        continuing = !atItsPlace && mailbox.hasEnd();
        due.call();
        requireKept(before);
        atItsPlace = false;
        continuing = false;
        afterCallback(before);
    }

    // ---- nested waits ----

    /** Called in a callback that waits for a reply next. */
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

    /** In a callback: returns its number. */
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

    /** Like {@link #afterCallback}, and what other threads have asked for until now acts too. */
    void afterCallbackAndMail(int before) {
        requireKept(before);
        ownMail |= mailbox.size() > 0;
        afterCallback(before);
    }

    /** The next callback does not see the interrupt status that the returned callback has left. */
    private void noteReturned(int before) {
        requireKept(before);
        callbacks++;
        if (Thread.currentThread().isInterrupted()) {
            connection.handle.handleSet().setInterruptAside();
        }
    }

    /** Throws {@link LetGo} if a callback of this thread has waited since {@code before}. */
    void requireKept(int before) {
        if (hasLetGo(before)) {
            throw LetGo.SIGNAL;
        }
    }

    /** The callback that has waited has returned; the caller does not hold the claim any more. */
    void callbackOver() {
        handOver(CallKind.TASK, () -> waiting--); // after the writes of that callback
    }

    boolean callbackWaits() {
        return waiting > 0;
    }

    /** Leads out of a processing that has nothing to process any more. */
    static final class LetGo extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private static final LetGo SIGNAL = new LetGo();

        private LetGo() {
            super("a callback has waited for a reply", null, false, false);
        }
    }
}
