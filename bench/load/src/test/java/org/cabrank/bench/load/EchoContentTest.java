package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EchoContentTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 8, 9, 16, 63, 64, 65, 1_000})
    void writtenContentIsRecognised(int size) {
        assertEquals(-1, firstWrongByte(written(size, 3, 7), size, 3, 7));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 8, 9, 16, 63, 64, 65, 1_000})
    void everySingleWrongByteIsFound(int size) {
        for (int at = 0; at < size; at++) {
            ByteBuffer answer = written(size, 3, 7);
            answer.put(at, (byte) (answer.get(at) ^ 1));
            assertEquals(at, firstWrongByte(answer, size, 3, 7));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 64, 65})
    void theAnswerToAnotherRequestOrOfAnotherConnectionIsWrong(int size) {
        assertEquals(4, firstWrongByte(written(size, 3, 6), size, 3, 7));
        assertEquals(0, firstWrongByte(written(size, 2, 7), size, 3, 7));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 21, 40})
    void piecesOfARequestAreThoseOfTheWhole(int size) {
        ByteBuffer whole = written(size, 3, 7);
        for (int from = 0; from < size; from++) {
            for (int to = from; to <= size; to++) {
                ByteBuffer piece = LoadConnection.buffer(size + 2);
                EchoContent.write(piece, 1, from, to, size, 3, 7);
                assertEquals(whole.slice(from, to - from), piece.slice(1, to - from));
                assertEquals(-1, EchoContent.firstWrongByte(piece, 1, from, to, size, 3, 7));
            }
        }
    }

    private static int firstWrongByte(ByteBuffer answer, int size, int connection, int sequence) {
        return EchoContent.firstWrongByte(answer, 0, 0, size, size, connection, sequence);
    }

    private static ByteBuffer written(int size, int connection, int sequence) {
        ByteBuffer bytes = LoadConnection.buffer(size + Long.BYTES);
        EchoContent.write(bytes, 0, 0, size, size, connection, sequence);
        return bytes;
    }
}
