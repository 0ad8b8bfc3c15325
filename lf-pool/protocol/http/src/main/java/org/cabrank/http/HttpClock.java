package org.cabrank.http;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.transport.StreamConnection;

/** The next event of a connection that has a time limit. A request that arrives in one piece sets no deadline. */
final class HttpClock {
    /** Fewer queued bytes are not watched, because most answers are sent when the callback ends. */
    static final int WATCHED_BYTES_MIN = 64 << 10;

    /** A client that takes this many bytes in a period may take more periods, for files. */
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

    /** Bytes that the client had taken at the beginning of the period, or when it was last found idle. */
    private long taken;

    /** The period in which the client must take answers, and the last one in which it has taken all queued bytes. */
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

    /** Returns true if the client has taken all bytes queued at the beginning of the period, or many of them. */
    boolean areAnswersTaken(Connection connection) {
        return periodTaken == period || takenByClient(connection) - taken >= PROGRESS_BYTES;
    }

    /** For a client without a request that takes the rest of its answers; true before the first measurement. */
    boolean takesAnswers(Connection connection) {
        StreamConnection below = StreamConnection.below(connection);
        if (below == null || !below.isLeftByPeer()) {
            return false;
        }
        long before = taken;
        taken = takenByClient(connection);
        return taken != before;
    }

    /** The socket may hold megabytes that the client takes slowly, so its buffer counts as not taken. */
    private static long takenByClient(Connection connection) {
        StreamConnection below = StreamConnection.below(connection);
        return below == null ? -connection.queuedBytes() : below.takenByPeer();
    }
}
