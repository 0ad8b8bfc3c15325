package org.cabrank.bench.contender;

import java.nio.ByteBuffer;

/** Request processing of one connection, for servers without a framework. Not thread-safe. */
interface Service {

    /** Returns the answers, valid until the next call. If {@code data} has bytes left, the caller sends the answers and calls again. */
    ByteBuffer answer(ByteBuffer data);

    /** Returns true if the service ignores further requests. The caller must then end the output after the answers. */
    boolean ended();
}
