package org.cabrank.bench.http;

import java.nio.ByteBuffer;
import org.cabrank.bench.serve.HandlerWork;
import org.cabrank.lf.stream.Connection;
import org.cabrank.lf.stream.ConnectionHandler;

/**
 * Answers the requests of one connection: {@code Hello, World!} to GET and HEAD of any target, an error to anything else.
 * Answers to pipelined requests go out together.
 */
public final class HttpHandler implements ConnectionHandler {

    private final HandlerWork work;
    private final HttpDialogue dialogue = new HttpDialogue();

    public HttpHandler(HandlerWork work) {
        this.work = work;
    }

    @Override
    public void data(Connection connection, ByteBuffer data) throws Exception {
        dialogue.lookAtClock();
        while (!dialogue.ended() && data.hasRemaining()) {
            int result = dialogue.parse(data);
            if (result == HttpParser.REQUEST) {
                if (!work.performOrPutOff()) {
                    work.handAway(connection, (own, nothing) -> answerLater(own));
                    return; // the requests behind it are given again when it has been answered
                }
                send(connection, dialogue.answer(false));
            } else if (result != HttpParser.INCOMPLETE) {
                send(connection, dialogue.refusal(result));
            }
        }
        // What comes after the last request is nobody's.
        data.position(data.limit());
    }

    private void answerLater(Connection connection) {
        dialogue.lookAtClock();
        send(connection, dialogue.answer(false));
    }

    private void send(Connection connection, ByteBuffer answer) {
        connection.write(answer);
        if (dialogue.ended()) {
            // Sends what is queued and waits for the peer's end, so that no reset overtakes the answer.
            connection.close();
        }
    }
}
