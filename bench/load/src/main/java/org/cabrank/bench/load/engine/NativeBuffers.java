package org.cabrank.bench.load.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory outside the Java heap, which the kernel reads and writes. */
public final class NativeBuffers {
    private NativeBuffers() {}

    /** Returns a little-endian buffer. Every supported ABI has this byte order. */
    public static ByteBuffer of(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
