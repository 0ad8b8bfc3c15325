package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class StreamContentTest {

    private static final long SEED = 0x0123_4567_89ab_cdefL;
    private static final int ALL = 48;

    @Test
    void piecesOfTheStreamAreThoseOfTheWhole() {
        ByteBuffer whole = written(ALL, 0);
        for (int from = 0; from < ALL; from++) {
            for (int count = 0; count <= ALL - from; count++) {
                ByteBuffer piece = written(count, from);
                assertEquals(whole.slice(from, count), piece.slice(0, count));
                assertEquals(-1, StreamContent.firstWrongByte(piece, count, SEED, from));
            }
        }
    }

    @Test
    void everySingleWrongByteIsFound() {
        for (int at = 0; at < ALL; at++) {
            ByteBuffer bytes = written(ALL, 5);
            bytes.put(at, (byte) (bytes.get(at) ^ 0x80));
            assertEquals(at, StreamContent.firstWrongByte(bytes, ALL, SEED, 5));
        }
    }

    @Test
    void aPieceOfAnotherPlaceIsWrong() {
        for (int shift = 1; shift <= 4_096; shift++) {
            assertEquals(true, StreamContent.firstWrongByte(written(ALL, shift), ALL, SEED, 0) >= 0, "shift " + shift);
        }
    }

    private static ByteBuffer written(int count, long position) {
        ByteBuffer bytes = LoadConnection.buffer(ALL);
        StreamContent.write(bytes, count, SEED, position);
        return bytes;
    }
}
