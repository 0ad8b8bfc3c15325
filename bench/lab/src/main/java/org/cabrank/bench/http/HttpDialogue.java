package org.cabrank.bench.http;

import java.nio.ByteBuffer;

/** The requests of one connection and what each is answered. One thread at a time. */
final class HttpDialogue {

    private final HttpParser parser = new HttpParser();
    private boolean ended;
    private AnswerViews answers;

    /** As {@link HttpParser#parse}. */
    int parse(ByteBuffer data) {
        return parser.parse(data);
    }

    /** The last answer was given: bytes that come after it are dropped. */
    boolean ended() {
        return ended;
    }

    /** As {@link HttpParser#inHead}. */
    boolean inHead() {
        return parser.inHead();
    }

    /** As {@link HttpParser#inBody}. */
    boolean inBody() {
        return parser.inBody();
    }

    /**
     * The answer to the request that was found, all of it remaining; valid until the next one.
     *
     * @param last the server answers no further request of the connection
     */
    ByteBuffer answer(boolean last) {
        ended = last || !parser.keepsAlive();
        return answers.answer(status(parser.method()), end(), parser.method() != HttpMethod.HEAD);
    }

    private static int status(HttpMethod method) {
        return switch (method) {
            case GET, HEAD -> HttpStatus.OK;
            case OPTIONS, CONNECT, KNOWN -> HttpStatus.METHOD_NOT_ALLOWED;
            case UNKNOWN -> HttpStatus.NOT_IMPLEMENTED;
        };
    }

    private HttpAnswers.End end() {
        if (ended) {
            return HttpAnswers.End.CLOSES;
        }
        return parser.version10() ? HttpAnswers.End.STAYS : HttpAnswers.End.ASSUMED;
    }

    /** The answer to what is no request; {@code status} is what {@link #parse} returned. */
    ByteBuffer refusal(int status) {
        ended = true;
        return answers.answer(status, HttpAnswers.End.CLOSES, parser.method() != HttpMethod.HEAD);
    }

    /** Reads the clock. Must be called before requests are answered, once for all that arrived together. */
    void lookAtClock() {
        answers = AnswerViews.now();
    }
}
