package org.cabrank.http;

import java.time.Duration;
import org.cabrank.stream.StreamTimeouts;

/**
 * Time limits of a connection that a client's bytes do not renew; each from 1 ms to 366 days, or {@link StreamTimeouts#NEVER}. Leave {@link
 * StreamTimeouts#idle} at NEVER if handlers answer later, because that limit also closes connections with a request under way.
 *
 * @param head from the first byte of a request to the end of its head; then the request is answered with status 408 and the connection is
 *     closed
 * @param body from the end of the head, or from the permission if the client waits for one (100-continue), to the end of the body, with the
 *     same outcome. The time stands still during {@linkplain HttpExchange#offload offloaded} work before the body is asked for, and begins
 *     anew after each pause by the handler
 * @param idle from the beginning of the connection or its last answer to the first byte of the next request; then the connection is closed.
 *     A client that still takes answers from the socket's buffer gets another period
 * @param answers period for taking answers while more than 64 KiB are queued: by its end the socket must have taken the bytes that were
 *     queued at its beginning, or the client 256 KiB; else the connection is reset
 */
public record HttpTimeouts(Duration head, Duration body, Duration idle, Duration answers) {
    /** The default: 10 s for a head, 30 s for a body, 1 min for idling and for the answers. */
    public static final HttpTimeouts DEFAULT = new HttpTimeouts(
            Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofMinutes(1));

    public HttpTimeouts {
        StreamTimeouts.nanos(head, "head");
        StreamTimeouts.nanos(body, "body");
        StreamTimeouts.nanos(idle, "idle");
        StreamTimeouts.nanos(answers, "answers");
    }

    public HttpTimeouts withHead(Duration changed) {
        return new HttpTimeouts(changed, body, idle, answers);
    }

    public HttpTimeouts withBody(Duration changed) {
        return new HttpTimeouts(head, changed, idle, answers);
    }

    public HttpTimeouts withIdle(Duration changed) {
        return new HttpTimeouts(head, body, changed, answers);
    }

    public HttpTimeouts withAnswers(Duration changed) {
        return new HttpTimeouts(head, body, idle, changed);
    }
}
