package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.cabrank.lf.Continuation;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.WriteQueueFullException;

/**
 * The order of everything that happens to a connection: callbacks come one at a time, the requests of other threads pass through
 * the mailbox, offloaded work holds the callbacks back until its continuation has run, and a callback that waits for a reply
 * ({@link org.cabrank.stream.Connection#newReply}) gives the connection up.
 *
 * <p>A processing whose callback has waited ends with {@link LetGo}, because another thread may process the connection by then. By
 * the claim holder, except for methods that say otherwise.
 */
final class CallbackGate {
    static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

    /** Posted: the mailbox has something. */
    static final int MAIL = Ready.POSTED;

    private static final AtomicLongFieldUpdater<CallbackGate> MAILED_BYTES =
            AtomicLongFieldUpdater.newUpdater(CallbackGate.class, "mailedBytes");
    private static final AtomicLongFieldUpdater<CallbackGate> MAILED_FILE_BYTES =
            AtomicLongFieldUpdater.newUpdater(CallbackGate.class, "mailedFileBytes");
    private static final AtomicIntegerFieldUpdater<CallbackGate> MAILED_REFUSAL =
            AtomicIntegerFieldUpdater.newUpdater(CallbackGate.class, "mailedRefusal");

    private final StreamConnection connection;
    private final Outbound outbound;
    private final Mailbox mailbox = new Mailbox();

    /** Bytes of writes by other threads that are not written yet. */
    private volatile long mailedBytes;

    /**
     * Bytes of {@link #mailedBytes} that were written. They may be gathered, where other threads do not see them. Accessed by the claim
     * holder.
     */
    private long delivered;

    /** Bytes of file ranges of other threads that are not queued yet. */
    private volatile long mailedFileBytes;

    /** Size of the largest refused write of another thread that the claim holder does not know of yet; 0: there is none. */
    private volatile int mailedRefusal;

    /** A callback has offloaded work whose continuation has not run yet. */
    private boolean offloading;

    private Callback continuation;

    /** Grows when a callback lets go of the connection: a callback that finds it unchanged still holds the claim. */
    private int timesLetGo;

    /** Number of callbacks that wait, or have not returned since. */
    private int waiting;

    /** A task or a call of the mailbox runs, and acts before the mail behind it. */
    private boolean atItsPlace;

    /** The task whose work is offloaded was at its place, and so is its continuation. */
    private boolean continuesAtItsPlace;

    /** A continuation runs that an end waits for. */
    private boolean continuing;

    /** Number of callbacks that have ended. */
    private int callbacks;

    /** The present callback has added mail, or awaits other mail, which runs when the callback ends. */
    private boolean ownMail;

    private int ownBytes;

    CallbackGate(StreamConnection connection, Outbound outbound) {
        this.connection = connection;
        this.outbound = outbound;
    }

    // ---- requests ----

    boolean isInCallback() {
        return connection.handle.isHeldByCaller() && outbound.isEntered();
    }

    /**
     * Any thread: returns true in a callback if a call acts at once. Mail that was added before the call is run now, up to the
     * first task, behind which the call becomes mail, too. A task acts where it stands, before the mail behind it. Behind an
     * offload, and in a continuation that an end waits for, calls act at once.
     */
    boolean actsAtOnce() {
        return isInCallback() && (mailbox.size() == 0 || actsBehindMail());
    }

    /**
     * Any thread: returns true in a callback. Its change acts at once, and takes the place of earlier ones of the kind. A task, whose
     * calls act where the task stands, leaves those behind it.
     */
    boolean supersedes(Mailbox.Kind kind) {
        boolean inCallback = isInCallback();
        if (inCallback && !atItsPlace && mailbox.size() > 0) {
            mailbox.withdraw(kind);
        }
        return inCallback;
    }

    private boolean actsBehindMail() {
        if (atItsPlace) {
            return true;
        }
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
     * Any thread: like {@link #actsAtOnce}, but in a callback that has offloaded work the change goes by mail, behind the
     * continuation, which may still write. A callback makes its change without a lambda: with lambdas, later calls of all
     * threads hung in a test whose handlers overflow the stack, probably because a lambda was linked where the stack ended.
     */
    boolean mayChangeAtOnce() {
        return !offloading && actsAtOnce();
    }

    /** Any thread: hands over a task. False: the connection is gone. */
    boolean handOver(Runnable task) {
        StackRoom.require(); // otherwise the task could be added although the caller is notified of the opposite
        boolean own = isInCallback() && !(task instanceof Mailbox.Timed);
        return notifyIf(mailbox.add(own ? new Mailbox.CallbacksTask(task, callbacks) : task));
    }

    /** Any thread: hands over a change, which is never refused. False: the connection is gone. */
    boolean handOver(Mailbox.Kind kind, Mailbox.Change change) {
        StackRoom.require();
        int max = noteOwnMail()
                ? Integer.MAX_VALUE
                : connection.context().limits().mailboxMax();
        return notifyIf(mailbox.add(kind, change, max));
    }

    /** Any thread: hands over a call that runs no code of the service. False: the connection is gone. */
    boolean handOverAct(Mailbox.Act act) {
        StackRoom.require();
        noteOwnMail();
        return notifyIf(mailbox.add(act));
    }

    /** Any thread: returns true in a callback: its mail runs when it ends. */
    private boolean noteOwnMail() {
        boolean own = isInCallback() && !offloading;
        if (own) {
            ownMail = true;
        }
        return own;
    }

    /** The thread that moves the connection changes the handle first, and looks for mail then. */
    private boolean notifyIf(boolean added) {
        if (added) {
            connection.handleVolatile().post(MAIL);
        }
        return added;
    }

    /** Any thread: counts a refusal if the mailbox is full. */
    boolean isMailboxFull() {
        boolean full = mailbox.size() >= connection.context().limits().mailboxMax();
        if (full) {
            connection.context().writeRefused();
        }
        return full;
    }

    String mailboxFull() {
        return connection + " has been handed " + connection.context().limits().mailboxMax()
                + " tasks and writes that it has not come to yet, which is the limit; hand over fewer at a time, or raise"
                + " StreamLimits.mailboxMax";
    }

    /** Any thread outside a callback: throws if a write of so many bytes would be refused, and has the service notified. */
    void requireRoom(int count) {
        try {
            outbound.requireRoom(mailedBytes, count, count);
        } catch (WriteQueueFullException full) {
            if (full.mayRetry() && !mailbox.isClosed()) {
                noteRefusal(Math.max(1, count));
            }
            throw full;
        }
    }

    /**
     * Any thread outside a callback: hands over a write of two pieces.
     *
     * @param batch descriptors that go with the first byte; null: none
     * @return true if the batch belongs to the mail now; false: the connection is gone
     */
    boolean mail(ByteBuffer head, ByteBuffer body, DescriptorBatch batch) {
        StackRoom.require(); // else bytes could be counted and not mailed, or mailed and not counted
        int count = Math.addExact(head.remaining(), body.remaining());
        if (isInCallback()) {
            outbound.requireRoom(ownBytes, count, false);
            addMailed(count);
            ownMail = true;
            ownBytes += count;
            return mailCounted(head, body, batch, count);
        }
        try {
            // first: a write that never fits must not be tried again
            outbound.requireRoom(addMailed(count) - count, count, count);
            if (isMailboxFull()) {
                throw new WriteQueueFullException(mailboxFull() + "; write again when writable is called", true);
            }
        } catch (WriteQueueFullException full) {
            addMailed(-count);
            if (mailbox.isClosed()) { // the handle may be closed because the connection is being moved
                head.position(head.limit());
                body.position(body.limit());
                return false;
            }
            if (full.mayRetry()) {
                noteRefusal(Math.max(1, count));
            }
            throw full;
        }
        return mailCounted(head, body, batch, count);
    }

    private boolean mailCounted(ByteBuffer head, ByteBuffer body, DescriptorBatch batch, int count) {
        int headPosition = head.position();
        int bodyPosition = body.position();
        boolean added = false;
        outbound.countMailed(count);
        try {
            ByteBuffer copy = ByteBuffer.allocate(count).put(head).put(body).flip();
            added = mailbox.add((Mailbox.Output) () -> {
                long mailed = mailedBytes - delivered;
                delivered += count;
                if (isInCallback() && connection.takesOutput()) {
                    writeMailed(copy, mailed, batch);
                } else {
                    if (batch != null) {
                        batch.close();
                    }
                    connection.drop(copy);
                }
            });
        } catch (Throwable failed) { // no memory for the copy or for its place in the mailbox
            head.position(headPosition);
            body.position(bodyPosition);
            throw failed;
        } finally {
            if (!added) {
                addMailed(-count);
                outbound.countMailed(-count);
            }
        }
        return notifyIf(added);
    }

    private void writeMailed(ByteBuffer copy, long mailed, DescriptorBatch batch) {
        if (batch == null) {
            outbound.writeMailed(copy, mailed);
        } else {
            outbound.noteQueued(outbound.queuedBytes() + mailed);
            outbound.write(copy, batch, connection.io.descriptors().outbound());
        }
    }

    /** Any thread outside a callback: hands over a file range, or throws and leaves the range to the caller. */
    void mail(FileRange range) {
        StackRoom.require();
        try {
            outbound.countFileRange(range);
            if (!noteOwnMail() && isMailboxFull()) {
                throw new WriteQueueFullException(mailboxFull() + "; send again when writable is called", true);
            }
        } catch (WriteQueueFullException full) {
            if (!mailbox.isClosed()) {
                noteRefusal(1);
                throw full;
            }
        }
        long count = range.left();
        boolean added = false;
        MAILED_FILE_BYTES.getAndAdd(this, count);
        try {
            added = mailbox.add((Mailbox.Output) () -> {
                MAILED_FILE_BYTES.getAndAdd(this, -count);
                if (isInCallback() && connection.takesOutput()) {
                    outbound.sendFile(range);
                } else {
                    connection.drop(range);
                }
            });
            if (!added) {
                range.release();
            }
        } finally {
            if (!added) {
                MAILED_FILE_BYTES.getAndAdd(this, -count);
            }
        }
        notifyIf(added);
    }

    /** Any thread: has the service notified when the queue is at the low watermark and all mail was run. */
    void noteUnwritable() {
        if (!mailbox.isClosed()) {
            noteRefusal(1);
        }
    }

    /**
     * Has the claim holder await the room for a refused write. The refusal is no mail, because there may be no memory for mail.
     * Each thread posts, because the thread that noted a refusal first may have had no stack left to post.
     */
    void noteRefusal(int count) {
        int known;
        do {
            known = mailedRefusal;
        } while (known < count && !MAILED_REFUSAL.compareAndSet(this, known, count));
        connection.handleVolatile().post(MAIL);
    }

    private void awaitRoomForRefused() {
        if (mailedRefusal != 0) {
            outbound.noteRefused(MAILED_REFUSAL.getAndSet(this, 0));
        }
    }

    private long addMailed(long count) {
        return MAILED_BYTES.addAndGet(this, count);
    }

    /**
     * Claim holder, with nothing gathered: bytes of mail that was written are in the queue, or taken, and count as mailed no
     * more.
     */
    void settleDelivered() {
        long settled = delivered;
        if (settled != 0) {
            delivered = 0;
            addMailed(-settled);
            outbound.countMailed(-settled);
        }
    }

    /**
     * Any thread: bytes of writes by other threads that are not written yet. Threads outside a callback count written bytes
     * until they are queued or taken: some twice for a moment, and none not at all.
     */
    long mailedBytes() {
        return isInCallback() ? mailedBytes - delivered : mailedBytes;
    }

    long mailedFileBytes() {
        return mailedFileBytes;
    }

    void runMail() {
        for (int ran = 0; (ran < Mailbox.TASKS_MAX || ownMail) && !offloading; ran++) {
            Runnable next = mailbox.poll();
            if (next == null) {
                awaitRoomForRefused();
                return;
            }
            run(next);
        }
        connection.handle.post(MAIL);
    }

    private void run(Runnable mail) {
        int before = timesLetGo;
        atItsPlace = !(mail instanceof Mailbox.Timed);
        try {
            mail.run();
        } finally {
            if (!hasLetGo(before)) {
                atItsPlace = false;
            }
        }
        requireKept(before);
        callbacks++;
        setInterruptAside();
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
            if (next instanceof Mailbox.Timed) {
                handOver(next); // no call stands behind it
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
        connection.closeMailed = false;
    }

    boolean isClosed() {
        return mailbox.isClosed();
    }

    /** The connection is gone; the mail that is left still runs. */
    void close(Handle ownHandle) {
        try {
            mailbox.close(ownHandle.handleSet(), connection);
        } finally {
            settleDelivered();
        }
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
        if (!offloading && (connection.isEnding() || connection.closeMailed)) {
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

    /** Returns true if a callback has entered a nested wait since {@code before}: another thread may hold the claim now. */
    boolean hasLetGo(int before) {
        return timesLetGo != before;
    }

    /** The next callback does not see the interrupt status that the returned callback has left. */
    void afterCallback(int before) {
        requireKept(before);
        callbacks++;
        setInterruptAside();
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

    private void setInterruptAside() {
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
        handOver(() -> waiting--); // after the writes of that callback
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
