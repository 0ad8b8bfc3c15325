package org.cabrank.stream.transport;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.stream.WriteCompletion;

/**
 * Completions of one connection. The position of a completion is the number of bytes that were written before it. Newer completions never
 * have a lower position, so only the position of the oldest is compared with the bytes taken. Used by the claim holder, except for methods
 * whose comment names other threads.
 */
final class WriteCompletions {
    private static final int INITIAL = 4;
    private static final AtomicIntegerFieldUpdater<WriteCompletions> RESERVED =
            AtomicIntegerFieldUpdater.newUpdater(WriteCompletions.class, "reserved");

    private final StreamConnection connection;
    private WriteCompletion[] waiting = new WriteCompletion[INITIAL];
    private long[] positions = new long[INITIAL];
    private int oldest;
    private int count;

    private volatile int reserved;

    WriteCompletions(StreamConnection connection) {
        this.connection = connection;
    }

    void ask(WriteCompletion completion) {
        if (connection.isInCallback() && connection.handle().isClosed()) {
            throw new RejectedExecutionException(connection + " is closed");
        }
        boolean atOnce = connection.inbox.actsAtOnce();
        reserve();
        boolean asked = false;
        try {
            if (atOnce) {
                addBehindOutput(completion);
            } else {
                connection.handOver(() -> addBehindOutput(completion), DecoratorOutput.CallKind.OTHER);
            }
            asked = true;
        } finally {
            if (!asked) {
                giveBack();
            }
        }
    }

    /** Called in a callback, or after the connection has ended and before its completions end. */
    private void addBehindOutput(WriteCompletion completion) {
        if (!connection.isInCallback() || connection.handle().isClosed() || connection.outputFailure() != null) {
            add(Long.MAX_VALUE, completion);
        } else if (connection.outbound.dropped) {
            IOException dropped = new IOException(connection
                    + ": bytes were dropped because they were written after close or"
                    + " shutdownOutput; write first, and close behind that");
            add(
                    connection.outbound.written(),
                    (own, failed) -> completion.completed(own, failed == null ? dropped : failed));
        } else {
            add(connection.outbound.written(), completion);
        }
    }

    /** Called by any thread. Reserves a place or throws. {@link #poll} frees the place. */
    private void reserve() {
        if (RESERVED.getAndIncrement(this) >= WriteCompletion.PENDING_MAX) {
            giveBack();
            throw new RejectedExecutionException(connection + " has " + WriteCompletion.PENDING_MAX
                    + " write completions that wait for the peer, which is the limit; ask for fewer, for instance after the"
                    + " last of several writes");
        }
    }

    private void giveBack() {
        RESERVED.decrementAndGet(this);
    }

    private void add(long position, WriteCompletion completion) {
        if (count == waiting.length) {
            grow();
        }
        int at = index(count);
        waiting[at] = completion;
        positions[at] = position;
        count++;
    }

    private void grow() {
        WriteCompletion[] more = Arrays.copyOf(waiting, 2 * count);
        long[] morePositions = Arrays.copyOf(positions, 2 * count);
        for (int i = 0; i < count; i++) {
            more[i] = waiting[index(i)];
            morePositions[i] = positions[index(i)];
        }
        waiting = more;
        positions = morePositions;
        oldest = 0;
    }

    private int index(int number) {
        return oldest + number & waiting.length - 1;
    }

    int count() {
        return count;
    }

    /** Calls the completions of taken bytes, except those that are added during these calls. Returns true if it has called one. */
    boolean callDue(long taken) throws Exception {
        Inbox inbox = connection.inbox;
        boolean called = false;
        for (int left = count; left > 0 && isDue(taken) && connection.mayExpire(); left--) {
            called = true;
            int before = inbox.timesLetGo();
            poll().completed(connection, null);
            inbox.afterCallback(before);
        }
        return called;
    }

    private boolean isDue(long taken) {
        return count > 0 && positions[oldest] <= taken;
    }

    private WriteCompletion poll() {
        WriteCompletion next = waiting[oldest];
        waiting[oldest] = null;
        oldest = index(1);
        count--;
        giveBack();
        return next;
    }

    /** Called at the end of the connection. A completion succeeds if the socket has taken its bytes. {@code cause} is null after an abort. */
    void end(long taken, Throwable cause, HandleSet set) {
        Throwable failure = cause;
        while (count > 0) {
            boolean isTaken = isDue(taken);
            if (!isTaken && failure == null) {
                failure = new IOException(connection + " was aborted before the socket had taken all that was written");
            }
            try {
                poll().completed(connection, isTaken ? null : failure);
                set.setInterruptAside();
            } catch (Throwable thrown) {
                set.setInterruptAside();
                set.failures().log("a write completion of %s failed", connection, thrown);
            }
        }
    }
}
