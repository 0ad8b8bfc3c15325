package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Memory;
import org.cabrank.kernel.contract.SmallRing.Completion;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringBuf;
import org.cabrank.kernel.layout.IoUringBufReg;
import org.cabrank.kernel.layout.IoUringSqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Multishot accept, and multishot receive into the buffers that a ring of them provides. */
public abstract class IoUringBuffersContract extends IoUringContract {
    private static final long DATA = 0xfedc_ba98_7654_3210L;
    private static final int GROUP = 7;
    private static final int BUFFERS = 4;
    private static final int BUFFER_BYTES = 16;
    private static final int FIRST_BID = 60_000;
    /** Less than a page, of which the kernel maps and unmaps whole ones. */
    private static final int RING_BYTES = BUFFERS * IoUringBuf.SIZE_BYTES;

    private final ByteBuffer memory = memory(BUFFERS * BUFFER_BYTES);
    private ByteBuffer bufferRing;
    private int sending;
    private int receiving;

    /** Address of memory to unmap after the test; 0: none. */
    private long mapped;

    @BeforeEach
    void acceptByRequest() {
        int listening = listening(loopback());
        ring.sqe(IoUring.IORING_OP_ACCEPT, listening, 0, 0, DATA)
                .putShort(IoUringSqe.IOPRIO_OFFSET, (short) IoUring.IORING_ACCEPT_MULTISHOT);
        assertEquals(1, ring.enter(0));
        for (int i = 0; i < 2; i++) {
            sending = connectedTo(listening);
            assertEquals(0, ring.enter(1));
            Completion accepted = ring.take();
            receiving = opened(accepted.res());
            assertEquals(new Completion(DATA, receiving, IoUring.IORING_CQE_F_MORE), accepted);
        }
    }

    @AfterEach
    void unmap() {
        if (mapped != 0) {
            good(kernel().munmap(mapped, RING_BYTES));
        }
    }

    @Test
    void everyReceiveTakesTheNextBuffer() {
        registerOwnMemory(0);
        provideAll();
        receiveAgainAndAgain();
        for (int i = 0; i < BUFFERS; i++) {
            send("no. " + i);
            Completion received = completion();
            assertEquals(DATA, received.userData());
            assertEquals(5, received.res());
            assertTrue(received.has(IoUring.IORING_CQE_F_BUFFER));
            assertTrue(received.has(IoUring.IORING_CQE_F_MORE));
            assertEquals(FIRST_BID + i, received.buffer());
            assertEquals("no. " + i, received(received));
        }
    }

    @Test
    void receivingEndsWithoutBuffersAndGoesOnWithNewOnes() {
        registerOwnMemory(0);
        provide(0, 0);
        publish(1);
        receiveAgainAndAgain();
        send("one");
        assertEquals("one", received(completion()));
        send("two");
        Completion starved = completion();
        assertEquals(new Completion(DATA, -Errno.ENOBUFS, starved.flags() & ~IoUring.IORING_CQE_F_MORE), starved);
        assertFalse(starved.has(IoUring.IORING_CQE_F_BUFFER));
        provide(1, 3);
        publish(2);
        receiveAgainAndAgain();
        Completion received = completion();
        assertEquals(FIRST_BID + 3, received.buffer());
        assertEquals("two", received(received));
    }

    /** Since 6.12. */
    @Test
    void bufferIsTakenPieceByPiece() {
        registerOwnMemory(IoUring.IOU_PBUF_RING_INC);
        provideAll();
        receiveAgainAndAgain();
        send("one, ");
        Completion first = completion();
        assertEquals(FIRST_BID, first.buffer());
        assertTrue(first.has(IoUring.IORING_CQE_F_BUF_MORE));
        send("two, and enough");
        Completion second = completion();
        assertEquals(FIRST_BID, second.buffer());
        assertFalse(second.has(IoUring.IORING_CQE_F_BUF_MORE));
        assertEquals("one, two, and en", text(memory, BUFFER_BYTES));
        assertEquals(FIRST_BID + 1, completion().buffer());
    }

    @Test
    void bufferRingIsRegisteredOncePerGroup() {
        registerOwnMemory(0);
        assertErrno(Errno.EEXIST, register(mapped, 0));
        ByteBuffer group = memory(IoUringBufReg.SIZE_BYTES).putShort(IoUringBufReg.BGID_OFFSET, (short) GROUP);
        good(registered(IoUring.IORING_UNREGISTER_PBUF_RING, group));
        assertErrno(Errno.ENOENT, registered(IoUring.IORING_UNREGISTER_PBUF_RING, group));
        good(register(mapped, 0));
    }

    private void registerOwnMemory(int flags) {
        map();
        granted(
                flags == 0 ? IoUring.IORING_OP_SEND_ZC : OPERATION_OF_6_15,
                "a buffer ring with flags " + flags,
                register(mapped, flags));
    }

    private void map() {
        int flags = Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS;
        long address = kernel().mmap(0, RING_BYTES, Memory.PROT_READ | Memory.PROT_WRITE, flags, -1, 0);
        assertTrue(address > 0, () -> Errno.describe((int) -address));
        mapped = address;
        bufferRing = kernel().viewOf(address, RING_BYTES);
    }

    private int register(long ringAddress, int flags) {
        return registered(
                IoUring.IORING_REGISTER_PBUF_RING,
                memory(IoUringBufReg.SIZE_BYTES)
                        .putLong(IoUringBufReg.RING_ADDR_OFFSET, ringAddress)
                        .putInt(IoUringBufReg.RING_ENTRIES_OFFSET, BUFFERS)
                        .putShort(IoUringBufReg.BGID_OFFSET, (short) GROUP)
                        .putShort(IoUringBufReg.FLAGS_OFFSET, (short) flags));
    }

    private int registered(int opcode, ByteBuffer argument) {
        return kernel().ioUringRegister(ring.fd(), opcode, address(argument), 1);
    }

    private void provideAll() {
        for (int i = 0; i < BUFFERS; i++) {
            provide(i, i);
        }
        publish(BUFFERS);
    }

    private void provide(int entry, int buffer) {
        int at = entry * IoUringBuf.SIZE_BYTES;
        bufferRing
                .putLong(at + IoUringBuf.ADDR_OFFSET, address(memory) + buffer * BUFFER_BYTES)
                .putInt(at + IoUringBuf.LEN_OFFSET, BUFFER_BYTES)
                .putShort(at + IoUringBuf.BID_OFFSET, (short) (FIRST_BID + buffer));
    }

    private void publish(int tail) {
        bufferRing.putShort(IoUringBuf.RING_TAIL_OFFSET, (short) tail);
    }

    private void receiveAgainAndAgain() {
        ring.sqe(IoUring.IORING_OP_RECV, receiving, 0, 0, DATA)
                .put(IoUringSqe.FLAGS_OFFSET, (byte) IoUring.IOSQE_BUFFER_SELECT)
                .putShort(IoUringSqe.IOPRIO_OFFSET, (short) IoUring.IORING_RECV_MULTISHOT)
                .putShort(IoUringSqe.BUF_INDEX_OFFSET, (short) GROUP);
        assertEquals(1, ring.enter(0));
    }

    private void send(String text) {
        assertEquals(text.length(), kernel().send(sending, address(memory(text)), text.length(), 0));
    }

    private Completion completion() {
        if (ring.available() == 0) {
            assertEquals(0, ring.enter(1));
        }
        return ring.take();
    }

    private String received(Completion completion) {
        int at = (completion.buffer() - FIRST_BID) * BUFFER_BYTES;
        return text(memory.slice(at, BUFFER_BYTES), good(completion.res()));
    }
}
