package org.cabrank.iouring.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.iouring.Completion;
import org.cabrank.iouring.Rings;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Submissions that wait for the owner of a ring, and sends that another thread takes out of its queue. */
@Timeout(300)
class OutboxTest {
    private static final long NOBODY = 99;

    private static List<Long> userData(List<Completion> completions) {
        return completions.stream().map(Completion::userData).toList();
    }

    @Test
    void ownerQueuesInOrderWhatHasWaited() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            Outbox outbox = new Outbox();
            for (int i = 0; i < 5; i++) {
                outbox.append(IoUring.IORING_OP_NOP, 0, 0, 0, i, 0);
            }
            assertEquals(0, ring.submissions().pending());
            outbox.moveTo(ring.submissions());
            outbox.moveTo(ring.submissions());
            assertEquals(5, ring.submit());
            assertEquals(List.of(0L, 1L, 2L, 3L, 4L), userData(Rings.awaitSome(ring)));
        }
    }

    @Test
    void descriptorsOfClosesThatWaitAreHandedOver() {
        Outbox outbox = new Outbox();
        outbox.closeDescriptor(7, 1);
        outbox.poll(8, 0, 2);
        outbox.closeDescriptor(9, 1);
        List<Integer> closed = new ArrayList<>();
        outbox.takePendingCloses(1, closed::add);
        assertEquals(List.of(7, 9), closed);
    }

    /** Also if the sender fails behind its send. The second send stays, and fails for want of a descriptor when the kernel takes it. */
    @Test
    void withdrawnSendBecomesASubmissionWithoutAHandle() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            long none = SubmissionWriter.descriptor(-1);
            ring.submissions().send(none, 1_000, 10, 0, 1);
            ring.submissions().send(none, 2_000, 20, 0, 2);
            ring.submissions().poll(-1, 0, 3);
            List<String> seen = new ArrayList<>();
            SubmissionQueue.Sender sender = new SubmissionQueue.Sender() {
                @Override
                public int send(long userData, long address, int bytes) {
                    seen.add(userData + ": " + bytes + " at " + address);
                    return userData == 2 ? LEFT : bytes + 1;
                }

                @Override
                public void sent(long userData, int result) {
                    seen.add(userData + " sent " + result);
                    throw new OutOfMemoryError("of a test");
                }
            };
            ring.submissions().sendMessage(none, 3_000, 0, 4);
            withdrawOne(ring, sender);
            assertEquals(List.of("1: 10 at 1000", "1 sent 11"), seen);
            withdrawOne(ring, sender); // the first is not sent again
            assertEquals(List.of("2: 20 at 2000", "4: 0 at 3000", "4 sent 1"), seen.subList(2, seen.size()));
            ring.submissions().withdrawSends(sender, NOBODY);
            assertEquals(6, seen.size());
            assertEquals(4, ring.submit());
            List<Completion> all = Rings.awaitSome(ring);
            assertEquals(List.of(NOBODY, 2L, 3L, NOBODY), userData(all));
            assertEquals(0, all.get(0).result());
        }
    }

    private static void withdrawOne(Ring ring, SubmissionQueue.Sender sender) {
        assertThrows(OutOfMemoryError.class, () -> ring.submissions().withdrawSends(sender, NOBODY));
    }
}
