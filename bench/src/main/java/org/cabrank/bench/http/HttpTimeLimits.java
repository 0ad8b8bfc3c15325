package org.cabrank.bench.http;

import java.time.Duration;
import org.cabrank.stream.StreamTimeouts;

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
