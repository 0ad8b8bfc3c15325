package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.SocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Several threads accept at one listener. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
class ConcurrentAcceptTest extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    @Parameter
    ReactorMode mode;

    static Stream<ReactorMode> modes() {
        return EpollModes.over(TestKernel::any);
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }

    @Test
    void supplierThatBlocksHoldsUpItsOwnConnectionOnly() throws Exception {
        assumeTrue(mode.threads() > 1, "with one thread there is nobody else to accept");
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(TestReactor.loopback(0), AcceptMode.EXCLUSIVE, () -> {
            if (asked.incrementAndGet() == 1) {
                blocked.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return ECHO;
        });
        TestClient first = client(address).send("first");
        blocked.await();
        client(address).send("second").expect("second");
        client(address).send("third").expect("third");
        release.countDown();
        first.expect("first");
        assertEquals(0, reactor.failureCount());
    }

    /** The one that sees the end of the queue closes the listener; the connection in the other's hands is not lost. */
    @Test
    void drainWhileAThreadAcceptsServesItsConnection() throws Exception {
        assumeTrue(mode.threads() > 1, "with one thread there is nobody else to accept");
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger served = new AtomicInteger();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(TestReactor.loopback(0), AcceptMode.EXCLUSIVE, () -> {
            blocked.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return (connection, data) -> {
                served.incrementAndGet();
                connection.write(data);
            };
        });
        TestClient client = client(address).send("x");
        blocked.await();
        TestThread closing = TestThread.start("closes", reactor::close);
        assertTrue(reactor.streamCount() > 0, "the listener, at least until its last thread has left");
        release.countDown();
        client.expect("x").endOutput().expectEnd();
        closing.join();
        assertEquals(1, served.get());
    }
}
