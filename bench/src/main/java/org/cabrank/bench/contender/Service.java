package org.cabrank.bench.contender;

import java.nio.ByteBuffer;

/** What a server without a framework does with what one connection sends. One thread at a time. */
interface Service {

    /**
     * Performs the work of the requests in {@code data}, and returns what is to be sent, which is valid until the next call.
     * When it is sent and {@code data} still has something, this is called again.
     */
    ByteBuffer answer(ByteBuffer data);

    /** Whether no more requests are looked at: the output is to be ended when the answers are sent. */
    boolean ended();
}
