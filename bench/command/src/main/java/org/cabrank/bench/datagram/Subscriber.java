package org.cabrank.bench.datagram;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/**
 * A TCP connection that gets the frames. A thread that has received datagrams puts frames into the queue, and has the connection
 * send what waits; a slow peer fills nothing but its own queue. What the subscriber sends is dropped.
 *
 * <p>Invariant: after {@link #askIfAnyWait}, while a frame waits, at least one of these is true. So the last frame before a silence is
 * sent without another datagram.
 *
 * <ol>
 *   <li>The connection has accepted a task that sends, and the task has not looked into the queue yet.
 *   <li>The task, or another callback, is sending.
 *   <li>The socket takes no more, and the connection calls {@link #writable} later.
 *   <li>The connection has refused the task, and the retry of the fan-out asks again.
 *   <li>The connection has ended.
 * </ol>
 */
final class Subscriber implements ConnectionHandler {
    /** Named bound: bytes that one write gives to the connection. */
    private static final int WRITE_BYTES = 128 << 10;

    /** Named bound: writes before other connections of the shard have their turn. */
    private static final int WRITES_MAX = 8;

    /** Memory of the thread that sends, which a write has consumed when it returns. */
    private static final ThreadLocal<ByteBuffer> OUTGOING =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(WRITE_BYTES));

    private final FanOut fanOut;
    private final FrameQueue queue;
    private final Runnable send = this::sendAsAsked;

    /** True from the request to send until the connection begins to. */
    private final AtomicBoolean asked = new AtomicBoolean();

    /** True while the socket takes no more, until {@link #writable}. */
    private volatile boolean blocked;

    private volatile Connection connection;
    private boolean disconnected;

    Subscriber(FanOut fanOut, int queueBytes) {
        this.fanOut = fanOut;
        this.queue = new FrameQueue(queueBytes);
    }

    // ---- for threads that receive datagrams ----

    /** Puts a frame into the queue, and decides what a full queue means. {@link #askIfAnyWait} follows behind the last frame of a batch. */
    void offer(int group, ByteBuffer datagram, SlowPolicy policy) {
        if (queue.offer(group, datagram)) {
            return;
        }
        switch (policy) {
            case DROP_OLDEST -> {
                int dropped = queue.dropFor(datagram.remaining());
                fanOut.dropped(queue.offer(group, datagram) ? dropped : dropped + 1);
            }
            case DROP_NEWEST -> fanOut.dropped(1);
            case DISCONNECT -> disconnect();
        }
    }

    private synchronized void disconnect() {
        fanOut.dropped(1);
        if (!disconnected) {
            disconnected = true;
            fanOut.disconnected();
            connection.abort();
        }
    }

    /** Has the connection send what waits, if anything does. */
    void askIfAnyWait() {
        if (!queue.isEmpty()) {
            ask();
        }
    }

    /**
     * Has the connection send, unless a task that sends waits already or the socket takes no more. A connection that refuses the task
     * has ended, has too much mail, or lacks memory for the mail: the fan-out asks again, in vain if the connection has ended.
     */
    private void ask() {
        if (blocked || asked.getAndSet(true)) {
            return;
        }
        try {
            connection.execute(send);
        } catch (Throwable refusal) { // an error as well, which must not keep frames from the subscribers behind this
            // subscriber
            asked.set(false);
            fanOut.askLater(this, refusal);
        }
    }

    // ---- callbacks ----

    @Override
    public void opened(Connection own) {
        connection = own;
        fanOut.add(this);
    }

    @Override
    public void data(Connection own, ByteBuffer data) {
        data.position(data.limit());
    }

    @Override
    public void writable(Connection own) {
        blocked = false;
        send();
    }

    private void sendAsAsked() {
        asked.set(false); // before the queue is read: what comes later asks again
        send();
    }

    private void send() {
        ByteBuffer out = OUTGOING.get();
        for (int writes = 0; writes < WRITES_MAX; writes++) {
            if (!connection.isWritable()) {
                blocked = true; // before the callback writable, which the same thread runs later
                return;
            }
            int frames = queue.take(out.clear());
            if (frames == 0) {
                return;
            }
            connection.write(out.flip());
            connection.flush();
            fanOut.sent(frames);
        }
        ask();
    }

    /** The datagram sockets are closed: the rest of the queue is sent, and the reactor waits for that. */
    @Override
    public void draining(Connection own) {
        send();
        if (queue.isEmpty()) {
            own.close();
        }
    }

    @Override
    public void closed(Connection own, Throwable cause) {
        fanOut.remove(this, queue.largest());
    }

    long largestQueueBytes() {
        return queue.largest();
    }

    @Override
    public String toString() {
        return "the subscriber of " + connection;
    }
}
