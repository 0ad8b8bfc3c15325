package org.cabrank.http;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.transport.StreamConnection;

/** Sets the deadline of a connection for the event that it waits for next. */
final class HttpClock {
    /** While more bytes than this are queued, the client must take them in time. Most smaller answers are sent when the callback ends. */
    static final int WATCHED_BYTES_MIN = 64 << 10;

    /** A client that takes this many bytes in a period gets another period, because a large file may need several periods. */
    private static final int PROGRESS_BYTES = 256 << 10;

    enum Awaited {
        NOTHING,
        REQUEST,
        HEAD,
        BODY,
        ANSWERS_TAKEN
    }

    private final HttpTimeouts timeouts;
    private Awaited awaited = Awaited.NOTHING;
    private boolean armed;

    /** Result of {@link #takenByClient} when the period began, or when an idle limit last passed. */
    private long taken;

    /** Number of the present period. If {@code periodTaken} equals it, the socket has taken all bytes that were queued at its start. */
    private int period;

    private int periodTaken;

    HttpClock(HttpTimeouts timeouts) {
        this.timeouts = timeouts;
    }

    Awaited awaited() {
        return awaited;
    }

    /** @param another true to start the timer again even if the kind of the awaited event stays the same */
    void startTimer(Connection connection, Awaited next, boolean another) {
        if (next != awaited || another && next != Awaited.NOTHING && next != Awaited.ANSWERS_TAKEN) {
            arm(connection, next);
        }
    }

    void arm(Connection connection, Awaited next) {
        awaited = next;
        Duration limit = limit(next);
        boolean wanted = !limit.isZero();
        if (next == Awaited.ANSWERS_TAKEN) {
            watch(connection);
        }
        if (wanted || armed) {
            armed = wanted;
            connection.deadline(limit);
        }
    }

    private Duration limit(Awaited next) {
        return switch (next) {
            case NOTHING -> StreamTimeouts.NEVER;
            case REQUEST -> timeouts.idle();
            case HEAD -> timeouts.head();
            case BODY -> timeouts.body();
            case ANSWERS_TAKEN -> timeouts.answers();
        };
    }

    private void watch(Connection connection) {
        int own = ++period;
        taken = takenByClient(connection);
        try {
            connection.whenWritten((same, failure) -> periodTaken = own);
        } catch (RejectedExecutionException tooMany) {
            periodTaken = own; // the service's own completions show the progress
        }
    }

    boolean areAnswersTaken(Connection connection) {
        return periodTaken == period || takenByClient(connection) - taken >= PROGRESS_BYTES;
    }

    /** Returns true if the socket still buffers answers, and the client has taken some of them since the last measurement. */
    boolean takesAnswers(Connection connection) {
        StreamConnection below = StreamConnection.below(connection);
        if (below == null || !below.isLeftByPeer()) {
            return false;
        }
        long before = taken;
        taken = takenByClient(connection);
        return taken != before;
    }

    /** Bytes in the socket's buffer do not count as taken, because a slow client may leave megabytes there. */
    private static long takenByClient(Connection connection) {
        StreamConnection below = StreamConnection.below(connection);
        return below == null ? -connection.queuedBytes() : below.takenByPeer();
    }
}
