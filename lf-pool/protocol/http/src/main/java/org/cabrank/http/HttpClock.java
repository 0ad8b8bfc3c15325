package org.cabrank.http;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.transport.StreamConnection;

/** Time limit of the event that a connection waits for next. A request that arrives in one piece has no deadline of its own. */
final class HttpClock {
    /** The client is timed while more than so many bytes are queued: most smaller answers are sent when the callback ends. */
    static final int WATCHED_BYTES_MIN = 64 << 10;

    /** A client that takes so many bytes in a period gets another period, because a file may need several. */
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

    /** Number of bytes that the client had taken when the period began, or when the idle limit last passed. */
    private long taken;

    /** Number of the present period for taking answers; {@code periodTaken} is the last period whose queued bytes were all taken. */
    private int period;

    private int periodTaken;

    HttpClock(HttpTimeouts timeouts) {
        this.timeouts = timeouts;
    }

    Awaited awaited() {
        return awaited;
    }

    /** @param another true if the awaited event belongs to another request than before */
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

    /** Returns true if the client has taken all bytes queued at the beginning of the period, or {@link #PROGRESS_BYTES} of them. */
    boolean areAnswersTaken(Connection connection) {
        return periodTaken == period || takenByClient(connection) - taken >= PROGRESS_BYTES;
    }

    /** Returns true if the socket has answers left, and the client has taken some of them since the last measurement. */
    boolean takesAnswers(Connection connection) {
        StreamConnection below = StreamConnection.below(connection);
        if (below == null || !below.isLeftByPeer()) {
            return false;
        }
        long before = taken;
        taken = takenByClient(connection);
        return taken != before;
    }

    /** Counts bytes that the client has taken. Bytes in the socket's buffer do not count: they may be megabytes for a slow client. */
    private static long takenByClient(Connection connection) {
        StreamConnection below = StreamConnection.below(connection);
        return below == null ? -connection.queuedBytes() : below.takenByPeer();
    }
}
