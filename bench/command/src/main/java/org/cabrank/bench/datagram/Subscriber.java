package org.cabrank.bench.datagram;

import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/**
 * A TCP connection that gets the frames. A thread that has received datagrams puts frames into the queue, and has the connection
 * send what waits; a slow peer fills nothing but its own queue. What the subscriber sends is dropped.
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
    private final Runnable send = this::send;

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

    /** Puts a frame into the queue, and decides what a full queue means. {@link #ask} follows behind the last frame of a batch. */
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

    /** Has the connection send what waits, unless it was asked or waits for the socket. */
    void ask() {
        if (!blocked && !asked.getAndSet(true)) {
            try {
                connection.execute(send);
            } catch (RejectedExecutionException endedOrFull) {
                asked.set(false); // the next batch asks again, unless the connection has ended
            }
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

    private void send() {
        asked.set(false); // before the queue is read: what comes later asks again
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
}
