package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EchoContentTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 8, 9, 16, 63, 64, 65, 1_000})
    void whatWasWrittenIsRight(int size) {
        assertEquals(-1, EchoContent.firstWrongByte(written(size, 3, 7), size, 3, 7));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 8, 9, 16, 63, 64, 65, 1_000})
    void everySingleWrongByteIsFound(int size) {
        for (int at = 0; at < size; at++) {
            ByteBuffer answer = written(size, 3, 7);
            answer.put(at, (byte) (answer.get(at) ^ 1));
            assertEquals(at, EchoContent.firstWrongByte(answer, size, 3, 7));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 64, 65})
    void theAnswerToAnotherRequestOrOfAnotherConnectionIsWrong(int size) {
        assertEquals(4, EchoContent.firstWrongByte(written(size, 3, 6), size, 3, 7));
        assertEquals(0, EchoContent.firstWrongByte(written(size, 2, 7), size, 3, 7));
    }

    private static ByteBuffer written(int size, int connection, int sequence) {
        ByteBuffer bytes = LoadConnection.buffer(size + Long.BYTES);
        EchoContent.write(bytes, size, connection, sequence);
        return bytes;
    }
}
