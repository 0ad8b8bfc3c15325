package org.cabrank.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockingInputTest {
    private static byte at(long index) {
        return (byte) (index * 31 + (index >>> 8));
    }

    @Test
    void bytesLeaveInTheOrderInWhichTheyCame() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            BlockingInput input = new BlockingInput();
            long appended = 0;
            long taken = 0;
            for (int step = 0; step < 500; step++) {
                if (random.nextBoolean()) {
                    ByteBuffer piece = ByteBuffer.allocate(random.nextInt(random.nextBoolean() ? 20 : 3_000));
                    while (piece.hasRemaining()) {
                        piece.put(at(appended++));
                    }
                    input.append(piece.flip());
                    assertEquals(0, piece.remaining());
                } else {
                    taken = take(input, random, taken);
                }
                assertEquals(appended - taken, input.count());
            }
        }
    }

    private static long take(BlockingInput input, Random random, long from) {
        long taken = from;
        int wanted = random.nextInt(2_000);
        int expected = Math.min(wanted, input.count());
        switch (random.nextInt(3)) {
            case 0 -> {
                if (input.count() > 0) {
                    assertEquals(at(taken++), input.take());
                }
            }
            case 1 -> {
                byte[] to = new byte[wanted + 7];
                assertEquals(expected, input.take(to, 5, wanted));
                for (int i = 0; i < expected; i++) {
                    assertEquals(at(taken++), to[5 + i]);
                }
            }
            default -> {
                ByteBuffer to = ByteBuffer.allocateDirect(wanted);
                assertEquals(expected, input.take(to));
                to.flip();
                while (to.hasRemaining()) {
                    assertEquals(at(taken++), to.get());
                }
            }
        }
        return taken;
    }

    @Test
    void discardedBytesAreGone() {
        BlockingInput input = new BlockingInput();
        input.append(ByteBuffer.wrap(new byte[700]));
        input.discard();
        assertEquals(0, input.count());
        input.append(ByteBuffer.wrap(new byte[] {42}));
        assertEquals(42, input.take());
    }
}
