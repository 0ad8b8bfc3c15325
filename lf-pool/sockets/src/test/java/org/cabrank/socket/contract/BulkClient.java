package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.cabrank.stream.contract.TestClient;

/** A peer that sends frames of random sizes in pieces of random sizes with one thread, and compares their answers with another. */
final class BulkClient {
    private static final int PIECE_MAX = 256 << 10;

    private final TestClient client;
    private final BulkFrames frames;
    private final Random random;
    private final Queue<ByteBuffer> expected = new ConcurrentLinkedQueue<>();

    BulkClient(TestClient client, long seed) {
        this.client = client;
        this.frames = new BulkFrames(seed);
        this.random = new Random(seed);
    }

    /** Sends frames as long as {@code goesOn}, and one at least; then the end. */
    void send(BooleanSupplier goesOn) throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_MAX);
        long number = 0;
        do {
            int size = BulkFrames.size(random);
            piece.putInt(size).putLong(number);
            int sum = 0;
            int at = 0;
            while (at < size) {
                int room = 1 + random.nextInt(piece.remaining());
                int count = Math.min(size - at, room);
                piece.limit(piece.position() + count);
                sum += frames.write(number, at, piece);
                at += count;
                if (at == size) { // before the last byte goes: the answer may be there at once
                    expected.add(ByteBuffer.allocate(BulkFrames.ANSWER_BYTES)
                            .putLong(number)
                            .putInt(size)
                            .putInt(sum)
                            .flip());
                }
                boolean gathers = at == size && random.nextBoolean() && PIECE_MAX - piece.position() > PIECE_MAX / 2;
                if (!gathers) {
                    flush(piece);
                }
                piece.limit(PIECE_MAX);
            }
            number++;
        } while (goesOn.getAsBoolean());
        flush(piece);
        client.endOutput();
    }

    private void flush(ByteBuffer piece) throws IOException {
        piece.flip();
        while (piece.hasRemaining()) {
            client.channel().write(piece);
        }
        piece.clear();
    }

    /** Reads answers to the orderly end. */
    void compare() throws IOException {
        ByteBuffer answer = ByteBuffer.allocate(BulkFrames.ANSWER_BYTES);
        while (client.channel().read(answer) >= 0) {
            if (!answer.hasRemaining()) {
                assertEquals(expected.remove(), answer.flip());
                answer.clear();
            }
        }
        assertEquals(0, answer.position(), "bytes of an answer that is not whole");
        assertEquals(0, expected.size(), "frames without an answer");
    }
}
