package org.cabrank.socket.contract;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;

/**
 * Checks each byte of each frame, and answers a frame with its sum. After a random part of what it is given it pauses reading, hands
 * work away or goes to another shard, and leaves the rest unread; of a frame that is not whole it may leave all.
 */
final class BulkHandler implements ConnectionHandler {
    /** Totals over the handlers of all connections. */
    static final class Counts {
        final AtomicLong bytes = new AtomicLong();
        final AtomicLong frames = new AtomicLong();
        final AtomicLong pauses = new AtomicLong();
        final AtomicLong offloads = new AtomicLong();
        final AtomicLong moves = new AtomicLong();
        final AtomicLong leftUnread = new AtomicLong();

        /** True if handlers have done each of it. */
        boolean areComplete() {
            return frames.get() > 0
                    && pauses.get() > 0
                    && offloads.get() > 0
                    && moves.get() > 0
                    && leftUnread.get() > 0;
        }

        @Override
        public String toString() {
            return bytes + " bytes in " + frames + " frames; paused " + pauses + ", offloaded " + offloads + ", moved "
                    + moves + ", left unread " + leftUnread + " times";
        }
    }

    /** Bytes of a frame that may be left until it is whole; well below the limit of a connection. */
    private static final int UNREAD_MAX = 64 << 10;

    private final BulkFrames frames;
    private final Random random;
    private final int shards;
    private final Counts counts;
    private final Queue<Connection> paused;
    private final Queue<Throwable> errors;

    private long number = -1;
    private int size;
    private int checked;
    private int sum;

    /**
     * @param seed the seed of the connection, equal to that of its peer
     * @param paused receives the connections whose reading another thread must resume
     */
    BulkHandler(long seed, int shards, Counts counts, Queue<Connection> paused, Queue<Throwable> errors) {
        this.frames = new BulkFrames(seed);
        this.random = new Random(seed);
        this.shards = shards;
        this.counts = counts;
        this.paused = paused;
        this.errors = errors;
    }

    @Override
    public void data(Connection connection, ByteBuffer data) {
        try {
            int limit = data.limit();
            boolean part = random.nextInt(4) == 0;
            if (part) {
                data.limit(data.position() + random.nextInt(data.remaining() + 1));
            }
            read(connection, data);
            data.limit(limit);
            if (data.hasRemaining()) {
                counts.leftUnread.incrementAndGet();
            }
            if (random.nextInt(8) == 0) {
                counts.moves.incrementAndGet();
                connection.moveTo(random.nextInt(shards));
            }
            if (part || random.nextInt(8) == 0) { // the rest is given again only after a pause or offloaded work
                pause(connection);
            }
        } catch (Throwable failed) {
            errors.add(failed);
            connection.abort();
        }
    }

    private void pause(Connection connection) {
        switch (random.nextInt(3)) {
            case 0 -> {
                counts.pauses.incrementAndGet();
                connection.pauseReading();
                connection.execute(connection::resumeReading);
            }
            case 1 -> {
                counts.pauses.incrementAndGet();
                connection.pauseReading();
                paused.add(connection);
            }
            default -> {
                counts.offloads.incrementAndGet();
                connection.offload(
                        work -> new Thread(work, "bulk-work").start(), () -> 0, (ConnectionContinuation<Integer>)
                                (own, result) -> own.flush());
            }
        }
    }

    private void read(Connection connection, ByteBuffer data) {
        boolean leaves = random.nextInt(4) == 0;
        while (number < 0 ? data.remaining() >= BulkFrames.HEADER_BYTES : data.hasRemaining() || size == checked) {
            if (number < 0) {
                size = data.getInt();
                number = data.getLong();
                checked = 0;
                sum = 0;
            }
            int left = size - checked;
            if (leaves && left > data.remaining() && left < UNREAD_MAX) {
                return;
            }
            int count = Math.min(left, data.remaining());
            sum += frames.check(number, checked, data, count);
            checked += count;
            counts.bytes.addAndGet(count);
            if (checked == size) {
                answer(connection);
            }
        }
    }

    private void answer(Connection connection) {
        connection.write(ByteBuffer.allocate(BulkFrames.ANSWER_BYTES)
                .putLong(number)
                .putInt(size)
                .putInt(sum)
                .flip());
        counts.frames.incrementAndGet();
        number = -1;
    }

    @Override
    public void inputClosed(Connection connection, ByteBuffer unread) {
        if (number >= 0 || unread.hasRemaining()) {
            errors.add(new AssertionError("the input ended in frame " + number + " with " + checked + " of " + size
                    + " bytes checked and " + unread.remaining() + " unread"));
        }
        connection.close();
    }

    @Override
    public void closed(Connection connection, Throwable cause) {
        if (cause != null) {
            errors.add(new AssertionError("closed with a cause", cause));
        }
    }
}
