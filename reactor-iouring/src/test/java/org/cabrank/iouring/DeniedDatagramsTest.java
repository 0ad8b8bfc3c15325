package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringSqe;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.LogCapture;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendUnavailableException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A ring whose receives of datagrams fail one after the other. */
@Timeout(300)
class DeniedDatagramsTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int MSG_OOB = 1;

    private final FaultyRings rings = new FaultyRings(TestKernel.any());

    private RingHandleSet open() throws IOException {
        try {
            return new RingHandleSet(rings, Deactivation.CLAIM, RingOptions.DEFAULT.withDatagramBuffers(1));
        } catch (BackendUnavailableException refused) {
            return Assumptions.abort(refused.getMessage());
        }
    }

    /** Makes a receive a send of urgent data, which fails with EOPNOTSUPP. This is also an error that another datagram may have caused. */
    private static void deny(ByteBuffer submission) {
        submission.put(IoUringSqe.OPCODE_OFFSET, (byte) IoUring.IORING_OP_SEND);
        submission.put(IoUringSqe.FLAGS_OFFSET, (byte) 0);
        submission.putShort(IoUringSqe.IOPRIO_OFFSET, (short) 0);
        submission.putInt(IoUringSqe.OP_FLAGS_OFFSET, MSG_OOB);
        submission.putShort(IoUringSqe.BUF_INDEX_OFFSET, (short) 0);
    }

    @Test
    void receivingPausesIfEachReceiveFails() throws Exception {
        AtomicInteger received = new AtomicInteger();
        try (LogCapture log = new LogCapture(RingHandleSet.class);
                RingHandleSet set = open();
                LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("denied", 1))) {
            rings.showSubmissions(submission -> {
                boolean receives = submission.get(IoUringSqe.OPCODE_OFFSET) == IoUring.IORING_OP_RECVMSG;
                if (receives && received.get() == 1 && set.failures().count() == 0) {
                    deny(submission);
                }
            });
            UdpSocket socket = UdpSocket.bind(
                    set,
                    LOOPBACK,
                    DatagramOptions.DEFAULT.withOrdered(true),
                    (own, datagram) -> received.incrementAndGet());
            UdpSocket sender = UdpSocket.bind(set, LOOPBACK, (own, datagram) -> {});
            for (int i = 0; i < 2; i++) { // the first has the only buffer, so the second ends the receive
                sender.send(socket.localAddress(), ByteBuffer.allocate(1));
            }
            pool.start();
            Await.until("receiving is tried again", () -> received.get() == 2);
            assertEquals(64, socket.counters().reported());
            assertEquals(1, set.failures().count(), () -> log.warnings().toString());
        }
    }
}
