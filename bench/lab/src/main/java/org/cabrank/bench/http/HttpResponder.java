package org.cabrank.bench.http;

import java.nio.ByteBuffer;
import org.cabrank.bench.handler.HandlerWork;

/** Answers the requests of one connection into a buffer, as {@link HttpHandler} does. One thread at a time. */
public final class HttpResponder {

    /** Room that the longest answer takes. */
    public static final int ANSWER_BYTES_MAX = 512;

    private final HandlerWork work;
    private final HttpDialogue dialogue = new HttpDialogue();

    public HttpResponder(HandlerWork work) {
        this.work = work;
    }

    /**
     * Reads requests from {@code data} and appends their answers to {@code out}, while both last: with less than {@link
     * #ANSWER_BYTES_MAX} left in {@code out} it leaves data unread.
     */
    public void answer(ByteBuffer data, ByteBuffer out) {
        dialogue.lookAtClock();
        while (!dialogue.ended() && data.hasRemaining() && out.remaining() >= ANSWER_BYTES_MAX) {
            int result = dialogue.parse(data);
            if (result == HttpParser.REQUEST) {
                work.perform();
                out.put(dialogue.answer(false));
            } else if (result != HttpParser.INCOMPLETE) {
                out.put(dialogue.refusal(result));
            }
        }
        if (dialogue.ended()) {
            data.position(data.limit()); // dropped
        }
    }

    /** Returns true if the connection is to be closed after the answers have been sent. */
    public boolean ended() {
        return dialogue.ended();
    }
}
