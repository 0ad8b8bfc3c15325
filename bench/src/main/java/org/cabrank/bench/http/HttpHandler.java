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
    private final HttpParser parser = new HttpParser();
    private boolean ended;
    // Views of the answers of the second that they were made in; a new second makes new ones.
    private HttpAnswers answers;
    private ByteBuffer staying;
    private ByteBuffer stayingTold;
    private ByteBuffer closing;

    public HttpHandler(HandlerWork work) {
        this.work = work;
    }

    @Override
    public void data(Connection connection, ByteBuffer data) throws Exception {
        refreshAnswers();
        while (!ended && data.hasRemaining()) {
            int result = parser.parse(data);
            if (result == HttpParser.REQUEST) {
                if (!work.performOrPutOff()) {
                    work.handAway(connection, (own, nothing) -> answerLater(own));
                    return; // the requests behind it are given again when it has been answered
                }
                answer(connection);
            } else if (result != HttpParser.INCOMPLETE) {
                refuse(connection, result);
            }
        }
        // What comes after the last request is nobody's.
        data.position(data.limit());
    }

    private void answerLater(Connection connection) {
        refreshAnswers();
        answer(connection);
    }

    private void answer(Connection connection) {
        HttpMethod method = parser.method();
        boolean stays = parser.keepsAlive();
        if (method == HttpMethod.GET || method == HttpMethod.HEAD) {
            ByteBuffer answer = !stays ? closing : parser.version10() ? stayingTold : staying;
            int bodyBytes = method == HttpMethod.HEAD ? HttpAnswers.bodyBytes() : 0;
            answer.clear().limit(answer.capacity() - bodyBytes);
            connection.write(answer);
        } else {
            int status = method == HttpMethod.KNOWN ? HttpAnswers.METHOD_NOT_ALLOWED : HttpAnswers.NOT_IMPLEMENTED;
            connection.write(HttpAnswers.error(status, !stays));
        }
        if (!stays) {
            end(connection);
        }
    }

    private void refuse(Connection connection, int status) {
        connection.write(HttpAnswers.error(status, true));
        end(connection);
    }

    /** Closing sends what is queued and waits for the peer's end, so that no reset overtakes the answer. */
    private void end(Connection connection) {
        ended = true;
        connection.close();
    }

    private void refreshAnswers() {
        HttpAnswers now = HttpAnswers.now();
        if (now != answers) {
            answers = now;
            staying = now.staying();
            stayingTold = now.stayingTold();
            closing = now.closing();
        }
    }
}
