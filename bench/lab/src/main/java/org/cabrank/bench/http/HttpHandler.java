package org.cabrank.bench.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamTimeouts;

/**
 * Answers the requests of one connection: {@code Hello, World!} to GET and HEAD of any target, an error to anything else.
 * Answers to pipelined requests go out together.
 */
public final class HttpHandler implements ConnectionHandler {
    /** Fewer queued bytes are not watched: most answers are on their way when the callback ends. */
    private static final int WATCHED_BYTES_MIN = 64 << 10;

    /** The next thing that must happen within a time limit. */
    private enum Awaited {
        NOTHING,
        HEAD_END,
        BODY_END,
        ANSWERS_TAKEN
    }

    private final HandlerWork work;
    private final HttpTimeLimits limits;
    private final BooleanSupplier draining;
    private final HttpDialogue dialogue = new HttpDialogue();
    private Awaited awaited = Awaited.NOTHING;
    private long bytesWritten;
    /** Value of {@link #bytesWritten} whose bytes the client must have taken by the deadline. */
    private long bytesToTake;

    /** A handler with the default time limits, for a server that is never drained. */
    public HttpHandler(HandlerWork work) {
        this(work, HttpTimeLimits.DEFAULT, () -> false);
    }

    /** @param draining true: the server answers what it has received, and clients shall not send further requests */
    public HttpHandler(HandlerWork work, HttpTimeLimits limits, BooleanSupplier draining) {
        this.work = work;
        this.limits = limits;
        this.draining = draining;
    }

    @Override
    public void data(Connection connection, ByteBuffer data) throws Exception {
        dialogue.lookAtClock();
        boolean anotherRequest = false;
        while (!dialogue.ended() && data.hasRemaining()) {
            int result = dialogue.parse(data);
            if (result == HttpParser.REQUEST) {
                anotherRequest = true;
                if (!work.performOrPutOff()) {
                    await(connection, Awaited.NOTHING, true);
                    boolean another = data.hasRemaining();
                    work.handAway(connection, (own, nothing) -> answerLater(own, another));
                    return; // the requests behind it are given again when it has been answered
                }
                // The requests behind it were received before the drain, too, and have a right to their answers.
                send(connection, dialogue.answer(!data.hasRemaining() && draining.getAsBoolean()));
            } else if (result != HttpParser.INCOMPLETE) {
                send(connection, dialogue.refusal(result));
            }
        }
        if (dialogue.ended()) {
            data.position(data.limit()); // bytes behind the last request are dropped
        } else {
            await(connection, next(connection), anotherRequest);
        }
    }

    /** @param another bytes behind the request were received before the request was offloaded */
    private void answerLater(Connection connection, boolean another) {
        dialogue.lookAtClock();
        send(connection, dialogue.answer(!another && draining.getAsBoolean()));
    }

    private void send(Connection connection, ByteBuffer answer) {
        bytesWritten += answer.remaining();
        connection.write(answer);
        if (dialogue.ended()) {
            // Sends what is queued and waits for the peer's end, so that no reset overtakes the answer.
            connection.close();
        }
    }

    // ---- time limits; a request that comes in one piece sets no deadline ----

    private Awaited next(Connection connection) {
        // Checked first: if the client does not read its answers, reading is paused, and the client's request cannot
        // continue.
        if (connection.queuedBytes() > WATCHED_BYTES_MIN) {
            return Awaited.ANSWERS_TAKEN;
        }
        if (dialogue.inBody()) {
            return Awaited.BODY_END;
        }
        return dialogue.inHead() ? Awaited.HEAD_END : Awaited.NOTHING;
    }

    /** @param another the head or body, if one is awaited, is that of another request than before */
    private void await(Connection connection, Awaited next, boolean another) {
        boolean renewed = another && (next == Awaited.HEAD_END || next == Awaited.BODY_END);
        if (next != awaited || renewed) {
            arm(connection, next);
        }
    }

    private void arm(Connection connection, Awaited next) {
        awaited = next;
        bytesToTake = bytesWritten;
        connection.deadline(limit());
    }

    private Duration limit() {
        return switch (awaited) {
            case NOTHING -> StreamTimeouts.NEVER;
            case HEAD_END -> limits.head();
            case BODY_END -> limits.body();
            case ANSWERS_TAKEN -> limits.answers();
        };
    }

    @Override
    public void deadlinePassed(Connection connection) {
        if (awaited != Awaited.ANSWERS_TAKEN) {
            dialogue.lookAtClock();
            send(connection, dialogue.refusal(HttpStatus.REQUEST_TIMEOUT));
        } else if (bytesWritten - connection.queuedBytes() >= bytesToTake) {
            arm(connection, next(connection));
        } else {
            connection.abort(); // the kernel would keep for long what it has taken
        }
    }

    /**
     * Time limits of a request that a client's bytes do not renew; each from 1 ms to 366 days, or {@link StreamTimeouts#NEVER}.
     *
     * @param head from the first byte of a request to the end of its head, then the request is answered with status 408 and the
     *     connection is closed
     * @param body from the end of the head to the end of the body, with the same outcome
     * @param answers for a client that does not take its answers: the bytes that are queued at the beginning of a period, more than
     *     64 KiB, must be taken until its end; else the connection is reset
     */
    public record HttpTimeLimits(Duration head, Duration body, Duration answers) {
        /** 10 s for a head, 30 s for a body, 1 min for the answers. */
        public static final HttpTimeLimits DEFAULT =
                new HttpTimeLimits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(1));

        public HttpTimeLimits {
            StreamTimeouts.nanos(head, "head");
            StreamTimeouts.nanos(body, "body");
            StreamTimeouts.nanos(answers, "answers");
        }
    }
}
