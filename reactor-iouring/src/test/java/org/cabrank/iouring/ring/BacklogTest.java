package org.cabrank.iouring.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.Random;
import org.cabrank.kernel.layout.IoUringSqe;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final int LONGS = IoUringSqe.SIZE_BYTES / Long.BYTES;

    @Test
    void itIsAQueueHoweverItGrowsAndShrinks() {
        Backlog backlog = new Backlog();
        Queue<Long> model = new ArrayDeque<>();
        Random random = new Random(11);
        ByteBuffer sqes = ByteBuffer.allocate(2 * IoUringSqe.SIZE_BYTES).order(ByteOrder.nativeOrder());
        long next = 1;
        for (int i = 0; i < 20_000; i++) {
            boolean growing = i / 1_000 % 2 == 0;
            if (random.nextInt(10) < (growing ? 7 : 2) || model.isEmpty()) {
                backlog.append(next, next + 1, next + 2, next + 3, next + 4, next + 5);
                model.add(next);
                next += 10;
            } else {
                Arrays.fill(sqes.array(), (byte) 0xff); // the earlier contents of the slot
                backlog.moveFirst(sqes, IoUringSqe.SIZE_BYTES);
                long first = model.remove();
                for (int n = 0; n < LONGS; n++) {
                    long wanted = n < 6 ? first + n : 0;
                    assertEquals(wanted, sqes.getLong(IoUringSqe.SIZE_BYTES + n * Long.BYTES), "long " + n);
                }
            }
            assertEquals(model.size(), backlog.count());
        }
    }
}
