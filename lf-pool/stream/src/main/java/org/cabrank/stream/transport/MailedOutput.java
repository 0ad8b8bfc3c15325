package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.DecoratorOutput.CallKind;

/** Output that waits as mail in the inbox: writes of other threads, and writes of a callback behind a waiting task. */
final class MailedOutput {
    static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

    private static final AtomicLongFieldUpdater<MailedOutput> BYTES =
            AtomicLongFieldUpdater.newUpdater(MailedOutput.class, "bytes");
    private static final AtomicLongFieldUpdater<MailedOutput> FILE_BYTES =
            AtomicLongFieldUpdater.newUpdater(MailedOutput.class, "fileBytes");
    private static final AtomicIntegerFieldUpdater<MailedOutput> REFUSAL =
            AtomicIntegerFieldUpdater.newUpdater(MailedOutput.class, "refusal");

    private final StreamConnection connection;
    private final Inbox inbox;
    private final Outbound outbound;

    /** Number of mailed bytes that are not written yet, plus {@link #written}. */
    private volatile long bytes;

    /** Number of mailed bytes that were written but may be in gather memory, which other threads do not see. Used by the claim holder. */
    private long written;

    private volatile long fileBytes;

    /** Size of the largest refused write that the claim holder has not seen. 0 if there is none. */
    private volatile int refusal;

    MailedOutput(StreamConnection connection, Inbox inbox, Outbound outbound) {
        this.connection = connection;
        this.inbox = inbox;
        this.outbound = outbound;
    }

    /** Throws if a write of {@code count} bytes would be refused. {@code writable} is then called later. Called outside a callback. */
    void requireRoom(int count) {
        try {
            outbound.requireRoom(bytes, count, count);
        } catch (WriteQueueFullException full) {
            if (full.mayRetry()) {
                noteRefusal(count);
            }
            throw full;
        }
    }

    /**
     * Hands over a write. {@code batch} has the descriptors for its first byte, or is null. Returns false if the connection has ended. The
     * caller then keeps the batch.
     */
    boolean write(ByteBuffer head, ByteBuffer body, DescriptorBatch batch) {
        StackRoom.require(); // otherwise bytes could be counted and not mailed, or mailed and not counted
        int count = Math.addExact(head.remaining(), body.remaining());
        if (inbox.isInCallback()) {
            outbound.requireRoom(inbox.ownBytes, count, false);
            add(count);
            inbox.noteOwnBytes(count);
            return mailCounted(head, body, batch, count);
        }
        try {
            // Checked first, because a write that never fits must not be tried again.
            outbound.requireRoom(add(count) - count, count, count);
            if (inbox.isFull()) {
                throw new WriteQueueFullException(inbox.describeFull() + "; write again when writable is called", true);
            }
        } catch (WriteQueueFullException full) {
            add(-count);
            if (inbox.isClosed()) { // the handle may be closed because the connection is being moved
                head.position(head.limit());
                body.position(body.limit());
                return false;
            }
            if (full.mayRetry()) {
                noteRefusal(count);
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
            added = inbox.add(new Write(copy, batch));
        } catch (Throwable failed) { // no memory for the copy or for its place in the inbox
            head.position(headPosition);
            body.position(bodyPosition);
            throw failed;
        } finally {
            if (!added) {
                add(-count);
                outbound.countMailed(-count);
            }
        }
        return inbox.notifyIf(added);
    }

    private final class Write extends Mailbox.Mail {
        private final ByteBuffer copy;
        private final DescriptorBatch batch;

        Write(ByteBuffer copy, DescriptorBatch batch) {
            super(CallKind.WRITE, null);
            this.copy = copy;
            this.batch = batch;
        }

        @Override
        public void run() {
            long mailed = bytes - written;
            written += copy.remaining();
            if (!inbox.isInCallback() || !connection.takesOutput()) {
                if (batch != null) {
                    batch.close();
                }
                outbound.drop(copy);
            } else if (batch == null) {
                outbound.writeMailed(copy, mailed);
            } else {
                outbound.noteQueued(outbound.queuedBytes() + mailed);
                outbound.write(copy, batch, connection.io.descriptors().outbound());
            }
            // Other threads may add mail as fast as it runs, so bytes that were written must soon stop counting as
            // mailed.
            if (written > connection.context().limits().lowWatermark() && inbox.isInCallback()) {
                outbound.flushGathered();
                subtractWritten();
            }
        }
    }

    /** Hands over a file range. If it throws, the range still belongs to the caller. */
    void send(FileRange range) {
        StackRoom.require();
        try {
            outbound.countFileRange(range);
            if (!inbox.noteOwnMail() && inbox.isFull()) {
                throw new WriteQueueFullException(inbox.describeFull() + "; send again when writable is called", true);
            }
        } catch (WriteQueueFullException full) {
            if (!inbox.isClosed()) {
                noteRefusal(1);
                throw full;
            }
        }
        long count = range.left();
        boolean added = false;
        FILE_BYTES.getAndAdd(this, count);
        try {
            added = inbox.add(new Mailbox.Mail(CallKind.WRITE, () -> {
                FILE_BYTES.getAndAdd(this, -count);
                if (inbox.isInCallback() && connection.takesOutput()) {
                    outbound.sendFile(range);
                } else {
                    outbound.drop(range);
                }
            }));
            if (!added) {
                range.release();
            }
        } finally {
            if (!added) {
                FILE_BYTES.getAndAdd(this, -count);
            }
        }
        inbox.notifyIf(added);
    }

    /**
     * Lets the claim holder wait for room for a refused write of {@code count} bytes. If {@code count} is 0 or 1, the service is notified
     * when the queue is at the low watermark and all mail has run. The request is not mail, because there may be no memory for mail. Each
     * thread posts to the handle, because an earlier thread may have had no stack left to post.
     */
    void noteRefusal(int count) {
        if (inbox.isClosed()) {
            return;
        }
        int known;
        do {
            known = refusal;
        } while (known < Math.max(1, count) && !REFUSAL.compareAndSet(this, known, Math.max(1, count)));
        connection.handleVolatile().post(Inbox.MAIL);
    }

    /** Called by the claim holder after all mail has run. */
    void awaitRoomForRefused() {
        if (refusal != 0) {
            outbound.noteRefused(REFUSAL.getAndSet(this, 0));
        }
    }

    private long add(long count) {
        return BYTES.addAndGet(this, count);
    }

    /** Called by the claim holder after a flush. Bytes of written mail no longer count as mailed. */
    void subtractWritten() {
        long subtracted = written;
        if (subtracted != 0) {
            written = 0;
            add(-subtracted);
            outbound.countMailed(-subtracted);
        }
    }

    /** Number of mailed bytes that are not written yet. In other threads, written bytes may count twice for a moment. */
    long bytes() {
        return inbox.isInCallback() ? bytes - written : bytes;
    }

    long fileBytes() {
        return fileBytes;
    }
}
