package org.cabrank.stream.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.stream.DescriptorLimitException;
import org.junit.jupiter.api.Test;

/** Descriptors that wait, with their bytes and without a kernel. */
class DescriptorQueuesTest {
    private static final int MAX = 4;

    private final List<Integer> closed = new ArrayList<>();
    private final List<Integer> dropped = new ArrayList<>();
    private int refusedFrom = Integer.MAX_VALUE;

    /** A duplicate is the descriptor and 100. */
    private final DescriptorCalls calls = new DescriptorCalls() {
        @Override
        public int duplicate(int descriptor) throws IOException {
            if (descriptor >= refusedFrom) {
                throw new IOException("on purpose");
            }
            return descriptor + 100;
        }

        @Override
        public void close(int descriptor) {
            closed.add(descriptor);
        }

        @Override
        public void drop(int descriptor) {
            dropped.add(descriptor);
        }
    };

    private final DescriptorPassing passing = DescriptorPassing.of(MAX, calls);
    private final OutboundDescriptors out = passing.outbound();

    private void add(long queued, int... descriptors) throws IOException {
        out.add(out.duplicate(descriptors), queued);
    }

    @Test
    void sendEndsBeforeTheNextBatchAndCarriesTheOneThatIsDue() throws Exception {
        add(3, 1); // a b c [1]d e [2,3]f g
        add(5, 2, 3);
        assertNull(out.due());
        assertEquals(3, out.sendable(7));
        out.sent(2);
        assertNull(out.due());
        assertEquals(1, out.sendable(5));
        out.sent(1);
        assertArrayEquals(new int[] {101}, out.due().descriptors());
        assertEquals(2, out.sendable(4));
        out.sent(1); // less than was asked for: the batch has gone all the same
        assertEquals(List.of(101), closed);
        assertNull(out.due());
        assertEquals(1, out.sendable(3));
        out.sent(1);
        assertArrayEquals(new int[] {102, 103}, out.due().descriptors());
        assertEquals(2, out.sendable(2));
        out.sent(2);
        assertEquals(List.of(101, 102, 103), closed);
        assertEquals(9, out.sendable(9));
    }

    @Test
    void batchesThatAreAddedWhileOthersAreSentKeepTheirPlace() throws Exception {
        add(0, 1);
        out.sent(1); // of 4 bytes
        add(3, 2); // behind the other 3
        assertEquals(3, out.sendable(10));
        out.sent(3);
        add(1, 3);
        assertArrayEquals(new int[] {102}, out.due().descriptors());
        assertEquals(1, out.sendable(10));
        out.sent(1);
        assertArrayEquals(new int[] {103}, out.due().descriptors());
    }

    @Test
    void noMoreThanTheLimitWaitAndWhatIsRefusedIsClosed() throws Exception {
        add(0, 1, 2, 3);
        assertNull(out.duplicate(new int[] {4, 5}));
        assertEquals(List.of(), closed);
        refusedFrom = 5;
        out.sent(1);
        closed.clear();
        assertThrows(IOException.class, () -> out.duplicate(new int[] {3, 4, 5}));
        assertEquals(List.of(103, 104), closed);
        add(0, 1, 2, 3, 4); // the room is free again
        out.discard();
        out.discard();
        assertEquals(List.of(103, 104, 101, 102, 103, 104), closed);
        assertNull(out.due());
    }

    @Test
    void receivedDescriptorsAreTakenInOrderAndBounded() {
        InboundDescriptors in = passing.inbound();
        for (int round = 0; round < 3; round++) {
            for (int i = 1; i <= 2 * MAX; i++) {
                in.add(i);
            }
            assertEquals(2 * MAX, in.count());
            for (int i = 1; i <= 2 * MAX; i++) {
                assertEquals(i, in.take());
            }
            assertEquals(-1, in.take());
        }
        for (int i = 1; i <= 2 * MAX; i++) {
            in.add(i);
        }
        assertNull(in.failure());
        in.add(99);
        assertInstanceOf(DescriptorLimitException.class, in.failure());
        in.add(98);
        assertEquals(List.of(99, 98), dropped);
        dropped.clear();
        in.end();
        assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8), dropped);
    }

    @Test
    void descriptorThatComesAfterTheEndIsDropped() {
        InboundDescriptors in = passing.inbound();
        in.end();
        in.add(1);
        assertEquals(List.of(1), dropped);
        assertEquals(0, in.count());
    }
}
