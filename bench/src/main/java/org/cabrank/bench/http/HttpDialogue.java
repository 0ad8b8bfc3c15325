package org.cabrank.bench.http;

import java.nio.ByteBuffer;

/** The requests of one connection and what each is answered. One thread at a time. */
final class HttpDialogue {

    private final HttpParser parser = new HttpParser();
    private boolean ended;
    // Views of the answers of the second that they were made in; a new second makes new ones.
    private HttpAnswers answers;
    private ByteBuffer staying;
    private ByteBuffer stayingTold;
    private ByteBuffer closing;

    /** As {@link HttpParser#parse}. */
    int parse(ByteBuffer data) {
        return parser.parse(data);
    }

    /** Whether the last answer was given: what comes after it is nobody's. */
    boolean ended() {
        return ended;
    }

    /** To the request that was found, all of it remaining; valid until the next one. */
    ByteBuffer answer() {
        HttpMethod method = parser.method();
        boolean stays = parser.keepsAlive();
        ended = !stays;
        if (method == HttpMethod.GET || method == HttpMethod.HEAD) {
            ByteBuffer answer = !stays ? closing : parser.version10() ? stayingTold : staying;
            int bodyBytes = method == HttpMethod.HEAD ? HttpAnswers.bodyBytes() : 0;
            answer.clear().limit(answer.capacity() - bodyBytes);
            return answer;
        }
        int status = method == HttpMethod.KNOWN ? HttpAnswers.METHOD_NOT_ALLOWED : HttpAnswers.NOT_IMPLEMENTED;
        return HttpAnswers.error(status, !stays);
    }

    /** To what is no request; {@code status} is what {@link #parse} found. */
    ByteBuffer refusal(int status) {
        ended = true;
        return HttpAnswers.error(status, true);
    }

    /** Looks at the clock: to be called before requests are answered, once for all that have come together. */
    void lookAtClock() {
        HttpAnswers now = HttpAnswers.now();
        if (now != answers) {
            answers = now;
            staying = now.staying();
            stayingTold = now.stayingTold();
            closing = now.closing();
        }
    }
}
