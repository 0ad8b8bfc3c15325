package org.cabrank.iouring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.cabrank.iouring.ring.BufferRing;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Receives of the real kernel into provided buffers. */
class BufferRingTest {
    private static final int GROUP = 3;
    private static final int BUFFERS = 4;
    private static final int BYTES = 256;
    private static final long RECEIVE = 77;

    private static void receive(Ring ring, TcpPair pair, int flags) {
        ring.submissions().receiveMultishot(SubmissionWriter.descriptor(pair.fd()), flags, 0, GROUP, RECEIVE);
    }

    private static String text(BufferRing buffers, Completion completion) {
        byte[] bytes = new byte[completion.result()];
        buffers.view(completion.buffer()).get(0, bytes);
        return new String(bytes, US_ASCII);
    }

    @Test
    void receivedBytesAreInTheBufferThatTheCompletionNames() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL);
                TcpPair pair = new TcpPair(ring.kernel())) {
            BufferRing buffers = new BufferRing(ring, GROUP, BUFFERS, BYTES, false);
            assertEquals(BUFFERS, buffers.free());
            receive(ring, pair, 0);
            for (int i = 0; i < 5 * BUFFERS; i++) {
                pair.send("message " + i);
                Completion received = Rings.awaitSome(ring).get(0);
                assertEquals(RECEIVE, received.userData());
                assertTrue(received.more() && received.hasBuffer());
                assertEquals("message " + i, text(buffers, received));
                buffers.taken(received.buffer());
                assertEquals(BUFFERS - 1, buffers.free());
                buffers.recycle(received.buffer());
                assertEquals(BUFFERS, buffers.free());
            }
        }
    }

    @Test
    void aReceiveEndsWhenAllBuffersAreTakenAndGoesOnWithThoseThatAreGivenBack() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL);
                TcpPair pair = new TcpPair(ring.kernel())) {
            BufferRing buffers = new BufferRing(ring, GROUP, BUFFERS, BYTES, false);
            byte[] sent = new byte[BUFFERS * BYTES + BYTES / 2];
            new Random(4).nextBytes(sent);
            pair.send(sent);
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            List<Integer> taken = new ArrayList<>();
            receive(ring, pair, 0);
            while (got.size() < sent.length) {
                for (Completion each : Rings.awaitSome(ring)) {
                    if (each.result() == -Errno.ENOBUFS) {
                        assertFalse(each.more());
                        assertEquals(0, buffers.free());
                        taken.forEach(buffers::recycle);
                        taken.clear();
                        receive(ring, pair, 0);
                    } else {
                        buffers.taken(each.buffer());
                        taken.add(each.buffer());
                        byte[] bytes = new byte[each.result()];
                        buffers.view(each.buffer()).get(0, bytes);
                        got.write(bytes);
                    }
                }
            }
            assertArrayEquals(sent, got.toByteArray());
        }
    }

    /** The order is that in which they were given back, not that of their numbers. */
    @Test
    void aBundleGoesOnInTheBufferThatFollows() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL);
                TcpPair pair = new TcpPair(ring.kernel())) {
            assumeTrue(ring.features().bundles(), "this kernel has no bundles");
            BufferRing buffers = new BufferRing(ring, GROUP, BUFFERS, BYTES, false);
            Random random = new Random(5);
            for (int round = 0; round < 50; round++) {
                byte[] sent = new byte[1 + random.nextInt(BUFFERS * BYTES)];
                random.nextBytes(sent);
                pair.send(sent);
                receive(ring, pair, IoUring.IORING_RECVSEND_BUNDLE);
                ByteArrayOutputStream got = new ByteArrayOutputStream();
                List<Integer> taken = new ArrayList<>();
                boolean armed = true;
                while (got.size() < sent.length || armed) {
                    for (Completion each : Rings.awaitSome(ring)) {
                        armed &= each.more();
                        int left = each.result();
                        int bid = each.buffer();
                        while (left > 0) {
                            byte[] bytes = new byte[Math.min(left, BYTES)];
                            buffers.view(bid).get(0, bytes);
                            got.write(bytes);
                            buffers.taken(bid);
                            taken.add(bid);
                            left -= bytes.length;
                            bid = buffers.following(bid);
                        }
                    }
                    if (got.size() == sent.length && armed) {
                        cancel(ring);
                    }
                }
                assertArrayEquals(sent, got.toByteArray());
                Collections.shuffle(taken, random);
                taken.forEach(buffers::recycle);
                Rings.takeAll(ring);
            }
        }
    }

    private static void cancel(Ring ring) {
        ring.submissions().cancel(RECEIVE, 0);
    }

    @Test
    void anIncrementalBufferIsFilledPieceByPiece() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL);
                TcpPair pair = new TcpPair(ring.kernel())) {
            assumeTrue(ring.features().incremental(), "this kernel has no incremental buffers");
            BufferRing buffers = new BufferRing(ring, GROUP, BUFFERS, BYTES, true);
            receive(ring, pair, 0);
            pair.send("first");
            Completion first = Rings.awaitSome(ring).get(0);
            pair.send("second");
            Completion second = Rings.awaitSome(ring).get(0);
            assertEquals(first.buffer(), second.buffer());
            assertTrue((first.flags() & IoUring.IORING_CQE_F_BUF_MORE) != 0);
            byte[] both = new byte[first.result() + second.result()];
            buffers.view(first.buffer()).get(0, both);
            assertEquals("firstsecond", new String(both, US_ASCII));
        }
    }

    @Test
    void aBufferIsTakenOnceAndGivenBackOnce() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            BufferRing buffers = new BufferRing(ring, GROUP, BUFFERS, BYTES, false);
            assertThrows(IllegalStateException.class, () -> buffers.recycle(1));
            buffers.taken(1);
            assertThrows(IllegalStateException.class, () -> buffers.taken(1));
            buffers.recycle(1);
            assertThrows(IllegalStateException.class, () -> buffers.recycle(1));
            assertEquals(BUFFERS, buffers.free());
        }
    }

    @Test
    void buffersDoNotOverlapAndHaveTheSizeAskedFor() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            BufferRing buffers = new BufferRing(ring, GROUP, 8, 4_096, false);
            for (int bid = 0; bid < 8; bid++) {
                assertEquals(4_096, buffers.view(bid).capacity());
                assertEquals(ring.kernel().addressOf(buffers.view(bid)), buffers.address(bid));
                assertTrue(bid == 0 || buffers.address(bid) - buffers.address(bid - 1) >= 4_096);
            }
            assertEquals(8, buffers.buffers());
            assertEquals(4_096, buffers.bufferBytes());
            assertEquals(GROUP, buffers.groupId());
        }
    }

    @Test
    void aGroupThatIsInUseIsRefusedAndFreeAgainAfterItsEnd() throws IOException {
        AccountingKernel kernel = new AccountingKernel(TestKernel.any());
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            BufferRing first = new BufferRing(ring, GROUP, BUFFERS, BYTES, false);
            BackendUnavailableException refused = assertThrows(
                    BackendUnavailableException.class, () -> new BufferRing(ring, GROUP, BUFFERS, BYTES, false));
            assertTrue(refused.getMessage().contains("group 3: EEXIST"), refused.getMessage());
            first.close();
            first.close();
            new BufferRing(ring, GROUP, BUFFERS, BYTES, false).close();
            new BufferRing(ring, GROUP, BUFFERS, BYTES, false);
        }
        assertEquals("", kernel.kept());
    }

    @Test
    void bufferGivenBackAfterTheEndIsIgnored() throws IOException {
        BufferRing buffers;
        AccountingKernel kernel = new AccountingKernel(TestKernel.any());
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            buffers = new BufferRing(ring, GROUP, BUFFERS, BYTES, false);
            buffers.taken(0);
        }
        assertEquals("", kernel.kept());
        buffers.recycle(0);
        ByteBuffer late = buffers.view(0);
        late.put(0, (byte) 1);
        assertEquals(1, late.get(0));
        int calls = kernel.calls();
        buffers.close();
        assertEquals(calls, kernel.calls(), "the descriptor may be another's by now");
    }

    static int[] errnos() {
        return new int[] {Errno.ENOMEM, Errno.EINVAL};
    }

    @ParameterizedTest
    @MethodSource("errnos")
    void nothingIsLeftOfBuffersThatTheKernelRefuses(int errno) throws IOException {
        AccountingKernel kernel = new AccountingKernel(TestKernel.any());
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            String before = kernel.kept();
            for (int nth = 1; nth <= 2; nth++) {
                kernel.refuse(nth, errno);
                BackendUnavailableException refused = assertThrows(
                        BackendUnavailableException.class, () -> new BufferRing(ring, GROUP, BUFFERS, BYTES, false));
                assertTrue(refused.getMessage().contains(Errno.name(errno)), refused.getMessage());
                assertEquals(errno == Errno.ENOMEM, refused.getMessage().contains("RLIMIT_MEMLOCK"));
                assertEquals(before, kernel.kept());
            }
        }
    }
}
