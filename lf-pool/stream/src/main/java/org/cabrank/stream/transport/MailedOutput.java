package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.DecoratorOutput.CallKind;

/** Output on its way through the inbox: writes of other threads, and those of a callback that stand behind a task. Any thread. */
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

    /** Mailed bytes that are not written yet, plus {@link #written}. */
    private volatile long bytes;

    /** Bytes that were written. They may be in gather memory, which other threads do not see. Used by the claim holder. */
    private long written;

    private volatile long fileBytes;

    /** Size of the largest refused write that the claim holder has not seen; 0 if there is none. */
    private volatile int refusal;

    MailedOutput(StreamConnection connection, Inbox inbox, Outbound outbound) {
        this.connection = connection;
        this.inbox = inbox;
        this.outbound = outbound;
    }

    /** Called outside a callback. Throws if a write of so many bytes would be refused, and notifies the service later. */
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

    /** Hands over a write, with the descriptors of its first byte or null. False: the connection is gone; the caller keeps the batch. */
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
            // Other threads may send mail as fast as it runs: taken bytes must not count against them so long.
            if (written > connection.context().limits().lowWatermark() && inbox.isInCallback()) {
                outbound.flushGathered();
                subtractWritten();
            }
        }
    }

    /** Hands over a file range, or throws and leaves it to the caller. */
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
     * Makes the claim holder await room for a refused write. With 0 or 1 it notifies the service when the queue is at the low watermark and
     * all mail has run. Not mail, because there may be no memory for mail. Each thread posts, because the first may have lacked stack.
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

    /** Claim holder. Called after all mail has run. */
    void awaitRoomForRefused() {
        if (refusal != 0) {
            outbound.noteRefused(REFUSAL.getAndSet(this, 0));
        }
    }

    private long add(long count) {
        return BYTES.addAndGet(this, count);
    }

    /** Claim holder, after gathered bytes were flushed. Written mail is now sent or in the queue, and no longer counts as mailed. */
    void subtractWritten() {
        long subtracted = written;
        if (subtracted != 0) {
            written = 0;
            add(-subtracted);
            outbound.countMailed(-subtracted);
        }
    }

    /** Mailed bytes that are not written yet. To other threads some written bytes count twice for a moment, none are missing. */
    long bytes() {
        return inbox.isInCallback() ? bytes - written : bytes;
    }

    long fileBytes() {
        return fileBytes;
    }
}
