package org.cabrank.stream.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The queue of one connection while other connections hold the memory of the shard. */
class OutboundQueueTest {
    private static final int BOUND = 64 << 10;

    private final ChunkPool pool = new ChunkPool(16 << 10, buffer -> 0);

    @Test
    void shortQueueGrowsByWhatItNeedsWhereMemoryIsScarce() throws Exception {
        int others = BOUND / 4 * 3;
        for (int held = 0; held < others; held += 16 << 10) {
            assertNotNull(pool.take(16 << 10, 0));
        }
        pool.bound(BOUND);
        OutboundQueue queue = new OutboundQueue(pool);
        for (int written = 0; written < 2_500; written += 100) {
            queue.append(ByteBuffer.allocate(100));
        }
        assertEquals(2_500, queue.bytes());
    }
}
