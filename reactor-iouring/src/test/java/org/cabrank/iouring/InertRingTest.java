package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A ring does nothing while its owner is blocked outside of the ring. */
@Timeout(300)
class InertRingTest {
    private static final long POLL = 5;

    private final Kernel kernel = TestKernel.any();

    private static TestThread.Body arm(Ring ring, TcpPair pair) {
        return () -> {
            ring.enableHere();
            ring.submissions().poll(pair.fd(), Epoll.EPOLLIN, POLL);
            assertEquals(1, ring.submit());
        };
    }

    /** The owner's requests complete when the owner waits for them, and not before. */
    @Test
    void requestThatCouldCompleteDoesNotInterruptTheOwner() throws Exception {
        try (TcpPair pair = new TcpPair(kernel);
                Ring ring = Rings.openDisabled(kernel, Rings.SMALL);
                BlockedThread thread = BlockedThread.start(kernel, arm(ring, pair), BlockedThread::epollWait)) {
            assumeTrue(ring.features().deferTaskrun(), "Linux before 6.1");
            thread.awaitBlockedInEpollWait();
            pair.send("x");
            thread.end();
            assertEquals(1, thread.result());
        }
    }
}
