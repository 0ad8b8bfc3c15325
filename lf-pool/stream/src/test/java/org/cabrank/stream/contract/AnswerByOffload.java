package org.cabrank.stream.contract;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/** Answers all that has come at once, with an exclamation mark, and with work of the executor in between. */
record AnswerByOffload(Executor executor) implements ConnectionHandler {
    @Override
    public void data(Connection connection, ByteBuffer data) {
        String text = Recorder.text(data);
        connection.offload(executor, () -> text + "!", (own, answer) -> own.write(Recorder.bytes(answer)));
    }
}
