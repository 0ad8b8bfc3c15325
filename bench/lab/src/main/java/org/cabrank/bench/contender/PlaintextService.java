package org.cabrank.bench.contender;

import java.nio.ByteBuffer;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.http.HttpResponder;

final class PlaintextService implements Service {

    private final HttpResponder responder;
    private final ByteBuffer answers;

    /** @param answers buffer for answers. Several connections may share the buffer if one thread serves them. */
    PlaintextService(HandlerWork work, ByteBuffer answers) {
        responder = new HttpResponder(work);
        this.answers = answers;
    }

    @Override
    public ByteBuffer answer(ByteBuffer data) {
        answers.clear();
        responder.answer(data, answers);
        return answers.flip();
    }

    @Override
    public boolean ended() {
        return responder.ended();
    }
}
