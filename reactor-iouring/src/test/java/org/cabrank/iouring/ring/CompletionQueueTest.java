package org.cabrank.iouring.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.cabrank.iouring.Rings;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;

class CompletionQueueTest {
    private static final RingOptions TINY = RingOptions.DEFAULT.withEntries(4, 4);

    @Test
    void completionsThatFindNoRoomComeWhenThereIsSomeInOrder() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), TINY)) {
            CompletionQueue completions = ring.completions();
            for (int i = 0; i < 100; i++) {
                Rings.addNop(ring, i);
            }
            assertTrue(ring.submit() >= 0);
            assertEquals(4, ring.await(1, 0, 1_000_000));
            assertTrue(completions.overflowed());
            List<Long> taken = new ArrayList<>();
            while (taken.size() < 100) {
                int available = ring.reap();
                assertTrue(available > 0 && available <= 4, "reap: " + available);
                taken.addAll(Rings.userData(Rings.takeAll(ring)));
            }
            assertEquals(LongStream.range(0, 100).boxed().toList(), taken);
            assertEquals(0, ring.reap());
            assertFalse(completions.overflowed());
            assertTrue(completions.overflowCount() >= 24, completions.overflowCount() + " times");
            assertEquals(0, completions.lostCount());
        }
    }

    @Test
    void theIndexCountsFromTheHead() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), TINY)) {
            CompletionQueue completions = ring.completions();
            for (int round = 0; round < 5; round++) {
                Rings.addNop(ring, 10);
                Rings.addNop(ring, 11);
                Rings.addNop(ring, 12);
                assertEquals(3, ring.reap());
                assertEquals(10, completions.userData(0));
                completions.advance(1);
                assertEquals(2, completions.available());
                assertEquals(11, completions.userData(0));
                assertEquals(12, completions.userData(1));
                completions.advance(2);
                assertEquals(0, completions.available());
            }
        }
    }
}
