package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import org.cabrank.iouring.config.RingMode;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Blocking system calls of a thread whose requests complete meanwhile, as those of a handler on a shared ring. {@link RingMode}
 * documents these outcomes.
 */
@Timeout(60)
class InterruptedCallsTest {
    private static final long POLL = 5;

    private final Kernel kernel = TestKernel.any();

    private static TestThread.Body arm(Ring ring, TcpPair pair) {
        return () -> {
            ring.enableHere();
            ring.submissions().poll(pair.fd(), Epoll.EPOLLIN, POLL);
            assertEquals(1, ring.submit());
        };
    }

    /** The request completes, in the context of the thread that has submitted it. */
    private static void complete(Ring ring, TcpPair pair) throws IOException {
        pair.send("x");
        assertEquals(POLL, Rings.awaitSome(ring).get(0).userData());
    }

    @Test
    void completionOfASharedRingInterruptsACallThatIsNeverRestarted() throws Exception {
        try (TcpPair pair = new TcpPair(kernel);
                Ring ring = Rings.openDisabled(kernel, RingMode.SHARED, Rings.SMALL);
                BlockedThread thread = BlockedThread.start(kernel, arm(ring, pair), BlockedThread::epollWait)) {
            thread.awaitBlockedInEpollWait();
            complete(ring, pair);
            assertEquals(-Errno.EINTR, thread.result());
        }
    }

    @Test
    void kernelRestartsMostCalls() throws Exception {
        try (TcpPair pair = new TcpPair(kernel);
                Ring ring = Rings.openDisabled(kernel, RingMode.SHARED, Rings.SMALL);
                BlockedThread thread = BlockedThread.start(kernel, arm(ring, pair), BlockedThread::read)) {
            thread.awaitBlockedInRead();
            complete(ring, pair);
            thread.end();
            assertEquals(Long.BYTES, thread.result());
        }
    }

    @Test
    void jdkRepeatsACallThatWasInterrupted() throws Exception {
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink();
                Selector selector = Selector.open();
                TcpPair pair = new TcpPair(kernel);
                Ring ring = Rings.openDisabled(kernel, RingMode.SHARED, Rings.SMALL)) {
            source.configureBlocking(false);
            source.register(selector, SelectionKey.OP_READ);
            try (BlockedThread thread = BlockedThread.start(kernel, arm(ring, pair), self -> selector.select())) {
                thread.awaitBlockedInEpollWait();
                complete(ring, pair);
                sink.write(ByteBuffer.allocate(1));
                assertEquals(1, thread.result(), "keys that are ready");
            } finally {
                selector.wakeup();
            }
        }
    }

    /** The owner's requests complete when the owner waits for them, and not before. */
    @Test
    void completionOfAnOwnerRingInterruptsNothing() throws Exception {
        try (TcpPair pair = new TcpPair(kernel);
                Ring ring = Rings.openDisabled(kernel, RingMode.OWNER, Rings.SMALL);
                BlockedThread thread = BlockedThread.start(kernel, arm(ring, pair), BlockedThread::epollWait)) {
            assumeTrue(ring.features().deferTaskrun(), "Linux before 6.1");
            thread.awaitBlockedInEpollWait();
            pair.send("x");
            thread.end();
            assertEquals(1, thread.result());
        }
    }

    /** A thread of the kernel has submitted the request. */
    @Test
    void completionOfASharedRingWithSqPollInterruptsNothing() throws Exception {
        RingOptions polled = Rings.SMALL.withSqPoll(Duration.ofMillis(10), -1);
        try (TcpPair pair = new TcpPair(kernel);
                Ring ring = Rings.openDisabled(kernel, RingMode.SHARED, polled);
                BlockedThread thread = BlockedThread.start(
                        kernel,
                        () -> {
                            ring.submissions().poll(pair.fd(), Epoll.EPOLLIN, POLL);
                            assertEquals(0, ring.submit());
                        },
                        BlockedThread::epollWait)) {
            thread.awaitBlockedInEpollWait();
            complete(ring, pair);
            thread.end();
            assertEquals(1, thread.result());
        }
    }
}
