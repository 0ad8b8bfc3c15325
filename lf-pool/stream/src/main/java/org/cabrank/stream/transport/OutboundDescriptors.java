package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.stream.WriteQueueFullException;

/**
 * Descriptors that wait to be sent. Each batch is sent with a certain byte of the {@link OutboundQueue}. A send carries the batch of its
 * first byte, and ends before the byte of the next batch. So bytes before a batch never wait for it. The kernel takes a batch together with
 * at least one byte, or does not take it. Accessed by the owner of the queue, except for {@link #write} and {@link #duplicate}.
 */
public final class OutboundDescriptors {
    private final int max;
    private final DescriptorCalls calls;

    private final AtomicInteger waiting = new AtomicInteger();

    private final Queue<DescriptorBatch> batches = new ArrayDeque<>();

    private long taken;

    OutboundDescriptors(int max, DescriptorCalls calls) {
        this.max = max;
        this.calls = calls;
    }

    /** Any thread: see {@link org.cabrank.stream.UnixSocket#writeDescriptors}. */
    void write(StreamConnection connection, ByteBuffer data, int... descriptors) throws IOException {
        if (descriptors.length == 0 || descriptors.length > max) {
            throw new IllegalArgumentException("a write carries 1 to " + max + " descriptors on " + connection
                    + ", but was given " + descriptors.length + "; write several times, or raise descriptorsMax");
        }
        if (!data.hasRemaining()) {
            throw new IllegalArgumentException("descriptors go with the first byte of the data, but there is none");
        }
        Inbox inbox = connection.inbox;
        boolean atOnce = inbox.actsAtOnce();
        if (atOnce && !connection.takesOutput()) {
            connection.outbound.drop(data);
            return;
        }
        if (atOnce) {
            connection.outbound.requireRoom(0, data.remaining(), true);
        } else if (inbox.isClosed()) {
            data.position(data.limit());
            return;
        }
        DescriptorBatch batch = duplicate(descriptors);
        if (batch == null) {
            throw refusal(connection);
        }
        boolean handedOver = false;
        try {
            if (atOnce) {
                handedOver = true; // set whatever is thrown
                connection.outbound.write(data, batch, this);
            } else {
                handedOver = connection.mailed.write(data, MailedOutput.NO_BYTES, batch);
            }
        } finally {
            if (!handedOver) {
                batch.close();
            }
        }
    }

    private WriteQueueFullException refusal(StreamConnection connection) {
        connection.context().writeRefused();
        connection.noteRefused(Outbound.UNTIL_EMPTY);
        return new WriteQueueFullException(
                "the peer does not read: no more than " + max
                        + " descriptors may wait to be sent; write again when writable is"
                        + " called, or raise descriptorsMax",
                true);
    }

    /** Duplicates the descriptors of one write. Returns null if too many wait. If it throws, no duplicate is open. */
    DescriptorBatch duplicate(int[] descriptors) throws IOException {
        if (waiting.addAndGet(descriptors.length) > max) {
            waiting.addAndGet(-descriptors.length);
            return null;
        }
        int[] duplicates = new int[descriptors.length];
        int made = 0;
        try {
            while (made < descriptors.length) {
                duplicates[made] = calls.duplicate(descriptors[made]);
                made++;
            }
            return new DescriptorBatch(calls, duplicates, waiting);
        } catch (Throwable refused) { // for want of memory, too
            for (int i = 0; i < made; i++) {
                calls.close(duplicates[i]);
            }
            waiting.addAndGet(-descriptors.length);
            throw refused;
        }
    }

    /** Attaches a batch to the next byte that is appended to a queue of {@code queuedBytes} bytes. */
    void add(DescriptorBatch batch, long queuedBytes) {
        batch.position = taken + queuedBytes;
        batches.add(batch);
    }

    /** Returns the batch of the first byte of the queue, or null if there is none. */
    public DescriptorBatch due() {
        DescriptorBatch first = batches.peek();
        return first != null && first.position == taken ? first : null;
    }

    /** Returns the number of bytes, at most {@code bytes}, that the next send may take from the queue. */
    public int sendable(int bytes) {
        for (DescriptorBatch batch : batches) {
            if (batch.position > taken) {
                return (int) Math.min(bytes, batch.position - taken);
            }
        }
        return bytes;
    }

    /** Notes that the kernel has taken the first {@code bytes} bytes (at least 1) of the queue, with the batch of the first byte. */
    public void sent(int bytes) {
        if (due() != null) {
            batches.remove().close();
        }
        taken += bytes;
    }

    public void discard() {
        while (!batches.isEmpty()) {
            batches.remove().close();
        }
    }
}
