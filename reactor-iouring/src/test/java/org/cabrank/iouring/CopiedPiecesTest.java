package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies out of receive buffers, and their cost. */
class CopiedPiecesTest {
    private final Random random = new Random(7);
    private final InboundQueue queue = new InboundQueue();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    private BufferedSet buffered;
    private CopiedPieces copies;

    @BeforeEach
    void open() throws IOException {
        buffered = BufferedSet.open();
        copies = new CopiedPieces(buffered.buffers());
    }

    @AfterEach
    void close() {
        buffered.close();
    }

    private void receive(int buffer, int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        sent.writeBytes(content);
        queue.add(buffered.received(buffer, content));
    }

    /** Takes pieces as a claim holder does, up to so many. */
    private byte[] take(int pieces) {
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        for (int i = 0; i < pieces; i++) {
            long piece = queue.poll();
            if (!InboundQueue.isPiece(piece)) {
                return taken.toByteArray();
            }
            assertTrue(CopiedPieces.isCopied(piece), "is with the ring still");
            byte[] bytes = new byte[InboundQueue.bytes(piece)];
            copies.oldest().get(InboundQueue.offset(piece), bytes);
            taken.writeBytes(bytes);
            copies.releaseOldest();
        }
        return taken.toByteArray();
    }

    @Test
    void manySmallPiecesCostHardlyMoreThanTheirBytes() {
        for (int buffer = 0; buffer < BufferedSet.BUFFERS; buffer++) {
            receive(buffer, 1 + random.nextInt(BufferedSet.BUFFER_BYTES));
        }
        int chunksMin = (sent.size() + BufferedSet.CHUNK_BYTES - 1) / BufferedSet.CHUNK_BYTES;
        queue.replaceAll(copies::pack);
        assertEquals(chunksMin, buffered.chunks().inUse());
        assertEquals(chunksMin, queue.size());
        assertEquals(BufferedSet.BUFFERS, buffered.buffers().ring().free(), "buffers that the kernel has again");
        assertArrayEquals(sent.toByteArray(), take(Integer.MAX_VALUE));
        assertEquals(0, buffered.chunks().inUse());
    }

    @Test
    void laterBytesArePackedBehindCopiedBytes() {
        for (int round = 0; round < 8; round++) {
            receive(0, 3);
            receive(1, 5);
            queue.replaceAll(copies::pack);
            assertEquals(1, buffered.chunks().inUse(), "round " + round);
        }
        receive(2, 9);
        queue.replaceAll(copies::pack);
        assertEquals(1, queue.size());
        assertArrayEquals(sent.toByteArray(), take(1));
        assertEquals(0, buffered.chunks().inUse());
    }

    @Test
    void eventThatTheClaimHolderProcessesIsNotTaken() {
        receive(0, 8);
        queue.replaceAll(copies::pack);
        long inHands = queue.poll();
        receive(1, 8);
        queue.replaceAll(copies::pack);
        assertEquals(2, buffered.chunks().inUse());
        byte[] first = new byte[InboundQueue.bytes(inHands)];
        copies.oldest().get(InboundQueue.offset(inHands), first);
        copies.releaseOldest();
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        taken.writeBytes(first);
        taken.writeBytes(take(1));
        assertArrayEquals(sent.toByteArray(), taken.toByteArray());
    }

    @Test
    void theRestOfAPieceIsKeptBeforeAllOthers() throws IOException {
        receive(0, 10);
        receive(1, 20);
        long first = queue.poll();
        queue.replaceAll(copies::pack);
        long rest = copies.keep(InboundQueue.piece(InboundQueue.bufferId(first), 4, 6));
        byte[] kept = new byte[6];
        copies.oldest().get(InboundQueue.offset(rest), kept);
        copies.releaseOldest();
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        taken.write(sent.toByteArray(), 0, 4);
        taken.writeBytes(kept);
        taken.writeBytes(take(1));
        assertArrayEquals(sent.toByteArray(), taken.toByteArray());
        assertEquals(BufferedSet.BUFFERS, buffered.buffers().ring().free());
        assertEquals(0, buffered.chunks().inUse());
    }

    /** Copied pieces are not copied again: every connection is asked for this each time that buffers run out. */
    @Test
    void copiesAreNeededWhereAPieceHoldsABuffer() {
        assertFalse(CopiedPieces.areNeeded(queue));
        for (int piece = 0; piece < 7; piece++) { // the queue grows and wraps around
            receive(0, 8);
            assertTrue(CopiedPieces.areNeeded(queue), "one piece, and " + piece);
            queue.replaceAll(copies::pack);
            assertFalse(CopiedPieces.areNeeded(queue));
            receive(1, BufferedSet.BUFFER_BYTES);
            receive(2, 1);
            assertTrue(CopiedPieces.areNeeded(queue));
            queue.replaceAll(copies::pack);
            take(1);
        }
    }

    @Test
    void connectionWithTheMostCopiesIsTheFirstToFindNoMemory() {
        CopiedPieces others = new CopiedPieces(buffered.buffers());
        InboundQueue othersQueue = new InboundQueue();
        buffered.chunks().bound(16 * BufferedSet.CHUNK_BYTES);
        int rounds = 0;
        while (!copies.hasLost()) {
            assertTrue(rounds++ < 16, "copies without a bound");
            receive(0, BufferedSet.BUFFER_BYTES);
            receive(1, BufferedSet.BUFFER_BYTES);
            receive(2, BufferedSet.BUFFER_BYTES);
            receive(3, BufferedSet.BUFFER_BYTES);
            queue.replaceAll(copies::pack);
        }
        assertTrue(rounds < 8, rounds + " of 16 chunks are one connection's");
        othersQueue.add(buffered.received(0, new byte[BufferedSet.BUFFER_BYTES]));
        othersQueue.replaceAll(others::pack);
        assertFalse(others.hasLost());
        assertEquals(BufferedSet.BUFFERS, buffered.buffers().ring().free(), "buffers that the kernel has again");
    }
}
