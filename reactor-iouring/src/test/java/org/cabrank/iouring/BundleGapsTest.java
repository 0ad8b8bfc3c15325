package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@link KnownFault#BUNDLE_GAPS} with traffic of a TCP connection. The peer sends pieces that rarely end with a buffer, while the
 * kernel
 * fills buffers, so a kernel with the fault goes on in the next buffer and leaves a gap in the one before. Every byte that connections
 * would be given is compared with the one that was sent.
 */
@Timeout(300)
class BundleGapsTest {
    private static final long RECEIVE = HandleRequests.anonymous(HandleRequests.RECV);

    private static final int SENT_BYTES = 256 << 10;

    /** More than two buffers. */
    private static final int PIECE_BYTES_MAX = 150;

    private static final byte STALE = 0x55;

    /** Compares the bytes of completions with those that the peer sends. */
    private static final class Comparison {
        private final BufferedSet opened;
        private final byte[] sent = new byte[SENT_BYTES];
        private final InboundQueue queue = new InboundQueue();
        private int received;
        private int wrong;
        private int bundled;

        Comparison(BufferedSet opened) {
            this.opened = opened;
            new Random(1).nextBytes(sent);
            for (int buffer = 0; buffer < BufferedSet.BUFFERS; buffer++) {
                makeStale(opened.buffers().ring().view(buffer));
            }
        }

        private static void makeStale(ByteBuffer view) {
            for (int i = 0; i < BufferedSet.BUFFER_BYTES; i++) {
                view.put(i, STALE);
            }
        }

        void take(int bytes, int flags) {
            bundled += bytes > BufferedSet.BUFFER_BYTES ? 1 : 0;
            opened.buffers().received(queue, bytes, flags);
            for (long piece = queue.poll(); InboundQueue.isPiece(piece); piece = queue.poll()) {
                ByteBuffer view = opened.buffers().whole(piece);
                for (int i = 0; i < InboundQueue.bytes(piece); i++) {
                    wrong += view.get(InboundQueue.offset(piece) + i) == sent[received] ? 0 : 1;
                    received++;
                }
                makeStale(view);
                opened.buffers().release(piece);
            }
        }
    }

    private static BufferedSet open() throws IOException {
        BufferedSet opened = BufferedSet.open(TestKernel.any());
        opened.set().beginWatching();
        return opened;
    }

    private static void receive(BufferedSet opened, TcpPair pair, int flags) {
        opened.set()
                .ring()
                .submissions()
                .receiveMultishot(SubmissionWriter.descriptor(pair.fd()), flags, 0, ReceiveBuffers.GROUP, RECEIVE);
    }

    private static void sendInPieces(TcpPair pair, byte[] bytes) throws IOException {
        Random random = new Random(2);
        pair.sendAtOnce();
        for (int from = 0; from < bytes.length; ) {
            int to = Math.min(bytes.length, from + 1 + random.nextInt(PIECE_BYTES_MAX));
            pair.send(Arrays.copyOfRange(bytes, from, to));
            from = to;
        }
    }

    @Test
    void everyByteIsTheOneThatWasSentWhereBundlesAreUsed() throws Exception {
        try (BufferedSet opened = open();
                TcpPair pair = new TcpPair(TestKernel.any())) {
            Ring ring = opened.set().ring();
            assumeTrue(ring.features().bundles(), "this kernel has no bundles");
            boolean used = (opened.buffers().receiveFlags() & IoUring.IORING_RECVSEND_BUNDLE) != 0;
            Comparison comparison = new Comparison(opened);
            receive(opened, pair, IoUring.IORING_RECVSEND_BUNDLE);
            TestThread sender = TestThread.start("sender", () -> sendInPieces(pair, comparison.sent));
            while (comparison.received < SENT_BYTES) {
                for (Completion completion : Rings.awaitSome(ring)) {
                    if (completion.userData() != RECEIVE) {
                        continue;
                    }
                    int result = completion.result();
                    assertTrue(result > 0 || result == -Errno.ENOBUFS, () -> "the receive ended with " + result);
                    if (result > 0) {
                        comparison.take(result, completion.flags());
                    }
                    if (!completion.more() && comparison.received < SENT_BYTES) {
                        receive(opened, pair, IoUring.IORING_RECVSEND_BUNDLE);
                    }
                }
            }
            sender.join();
            assertTrue(comparison.bundled > 0, "no completion brought more than one buffer");
            String found =
                    comparison.wrong + " of " + SENT_BYTES + " bytes were wrong, in " + comparison.bundled + " bundles";
            assumeTrue(
                    used, () -> "bundles are not used, because no trial shows that they have no gaps; here " + found);
            assertEquals(0, comparison.wrong, found);
        }
    }

    /** Two completions of short receives that are reported as one, as kernels with the fault do. */
    @Test
    void aGapIsNoticed() throws Exception {
        try (BufferedSet opened = open();
                TcpPair pair = new TcpPair(TestKernel.any())) {
            Ring ring = opened.set().ring();
            Comparison comparison = new Comparison(opened);
            receive(opened, pair, 0);
            int half = BufferedSet.BUFFER_BYTES / 2;
            pair.send(Arrays.copyOf(comparison.sent, half));
            List<Completion> first = Rings.awaitSome(ring);
            pair.send(Arrays.copyOfRange(comparison.sent, half, BufferedSet.BUFFER_BYTES + half));
            List<Completion> second = Rings.awaitSome(ring);
            comparison.take(
                    first.get(0).result() + second.get(0).result(), first.get(0).flags());
            assertEquals(1, comparison.bundled);
            assertTrue(comparison.wrong > half / 2, () -> comparison.wrong + " bytes");
        }
    }
}
