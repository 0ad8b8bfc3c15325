package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringSqe;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.ReactorFailedException;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Accept requests that fail: the same errnos have the same outcomes as of accept4(2). */
@Timeout(300)
class RingAcceptFaultTest {
    private final FaultyRings rings = new FaultyRings(TestKernel.any());
    private final AtomicInteger toSpoil = new AtomicInteger();

    private void spoil(ByteBuffer submission, int fd) {
        if (submission.get(IoUringSqe.OPCODE_OFFSET) == IoUring.IORING_OP_ACCEPT
                && toSpoil.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            submission.putInt(IoUringSqe.FD_OFFSET, fd);
        }
    }

    /** The descriptor of another file is named instead: one that is not open, and the ring, which is no socket. */
    @ParameterizedTest
    @ValueSource(strings = {"EBADF", "ENOTSOCK"})
    void failureOfTheSocketItselfEndsTheReactor(String errno) throws Exception {
        toSpoil.set(1);
        rings.showSubmissions(
                submission -> spoil(submission, errno.equals("EBADF") ? Integer.MAX_VALUE : rings.ringFd()));
        try (FaultyServer server = FaultyServer.start(rings, FaultyServer.SMALL, StreamReactor.builder())) {
            StreamReactor reactor = server.reactor().reactor();
            server.listen((connection, data) -> connection.write(data));
            ReactorFailedException failed = assertThrows(ReactorFailedException.class, reactor::awaitTermination);
            assertTrue(failed.getMessage().contains(errno), failed::getMessage);
            assertEquals(0, failed.shard());
        }
    }
}
