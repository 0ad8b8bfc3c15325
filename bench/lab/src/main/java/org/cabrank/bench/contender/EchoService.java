package org.cabrank.bench.contender;

import java.nio.ByteBuffer;
import org.cabrank.bench.handler.HandlerWork;

record EchoService(HandlerWork work) implements Service {

    @Override
    public ByteBuffer answer(ByteBuffer data) {
        work.perform(); // all bytes of one read count as one request
        return data;
    }

    @Override
    public boolean ended() {
        return false;
    }
}
