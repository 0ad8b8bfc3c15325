package org.cabrank.resp;

/** Version of the protocol that a connection speaks. */
final class RespVersion {
    static final int RESP2 = 2;
    static final int RESP3 = 3;

    /** Written in callbacks of the connection, one at a time. */
    volatile int number = RESP2;
}
