package org.cabrank.bench.load.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory outside the Java heap, which the kernel reads and writes. */
public final class NativeBuffers {
    private NativeBuffers() {}

    /** Returns a little-endian buffer: the order of the kernel's structures on every ABI here. */
    public static ByteBuffer of(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
