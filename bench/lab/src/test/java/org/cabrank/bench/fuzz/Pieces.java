package org.cabrank.bench.fuzz;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The bytes of a fuzz target's input, cut. */
final class Pieces {
    private Pieces() {}

    /** Returns the bytes in pieces of 1 to {@code bytesMax} bytes each. */
    static List<ByteBuffer> of(ByteBuffer stream, SplittableRandom random, int bytesMax) {
        List<ByteBuffer> pieces = new ArrayList<>();
        for (int at = 0; at < stream.limit(); ) {
            int bytes = Math.min(stream.limit() - at, 1 + random.nextInt(bytesMax));
            pieces.add(stream.slice(at, bytes));
            at += bytes;
        }
        return pieces;
    }
}
