package org.cabrank.http;

import java.nio.ByteBuffer;

/** Receiver of a body that has arrived as a whole ({@link HttpExchange#wholeBody}). */
@FunctionalInterface
public interface HttpWholeBody {
    /** <b>The buffer is valid only during the call.</b> */
    void received(HttpExchange exchange, ByteBuffer body) throws Exception;
}
