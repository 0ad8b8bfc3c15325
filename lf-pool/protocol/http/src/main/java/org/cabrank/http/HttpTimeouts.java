package org.cabrank.http;

import java.time.Duration;
import org.cabrank.stream.StreamTimeouts;

/**
 * Time limits of a connection. Bytes that arrive from the client do not extend a limit. Each limit is from 1 ms to 366 days, or {@link
 * StreamTimeouts#NEVER}. If the head or the body takes too long, the request is answered with status 408, and the connection is closed. If
 * handlers answer later, leave {@link StreamTimeouts#idle} at NEVER, because that limit also closes connections that work on a request.
 *
 * @param head from the first byte of a request to the end of its head
 * @param body from the end of the head to the end of the body. If the client waits for a permission (100-continue), the time starts with
 *     the permission. The limit does not apply while {@linkplain HttpExchange#offload offloaded} work runs and no receiver of the body is
 *     named. The time starts again after each pause by the handler
 * @param idle from the beginning of the connection, or from its last answer, to the first byte of the next request. After this time the
 *     connection is closed. A client that still takes answers from the socket's buffer gets another period
 * @param answers period for taking answers while more than 64 KiB are queued. In each period the socket must take all bytes that were
 *     queued at the beginning of the period, or the client must take 256 KiB. If not, the connection is reset
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
