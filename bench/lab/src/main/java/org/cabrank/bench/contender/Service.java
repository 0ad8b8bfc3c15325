package org.cabrank.bench.contender;

import java.nio.ByteBuffer;

/** Request processing of one connection, for servers without a framework. Not thread-safe. */
interface Service {

    /** Returns the answers, which are valid until the next call. Called again after sending, if {@code data} still has bytes. */
    ByteBuffer answer(ByteBuffer data);

    /** Returns true if the service ignores further requests; the caller then ends the output after the answers. */
    boolean ended();
}
