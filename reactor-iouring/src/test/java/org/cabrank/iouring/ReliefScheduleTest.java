package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Schedules of a relief that the kernel's calls are held at, and the calls of a takeover. */
@Timeout(300)
class ReliefScheduleTest {
    private static final int CONNECTIONS = Long.getLong("cabrank.soak.seconds") == null ? 200 : 4_000;

    private final AtomicInteger entries = new AtomicInteger();
    private final AtomicInteger watched = new AtomicInteger();
    private final AtomicInteger changed = new AtomicInteger();
    private final AtomicInteger receives = new AtomicInteger();
    private final Semaphore ownerGoesOn = new Semaphore(0);
    private final Semaphore ownerIsKept = new Semaphore(0);
    private volatile Thread owner;

    /** The next recv(2) waits for {@link #receiveGoesOn}. */
    private volatile boolean holdsReceive;

    private final CountDownLatch receiveIsHeld = new CountDownLatch(1);
    private final CountDownLatch receiveGoesOn = new CountDownLatch(1);
    private FaultyServer server;
    private SocketAddress address;

    private final class Counting extends ForwardingKernel {
        Counting(Kernel next) {
            super(next);
        }

        @Override
        public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
            owner = Thread.currentThread();
            entries.incrementAndGet();
            return next().ioUringEnter(fd, toSubmit, minComplete, flags, arg, argBytes);
        }

        @Override
        public int epollCtl(int epollFd, int operation, int fd, long event) {
            (operation == Epoll.EPOLL_CTL_ADD ? watched : changed).incrementAndGet();
            return next().epollCtl(epollFd, operation, fd, event);
        }

        @Override
        public int recv(int fd, long buffer, int count, int flags) {
            if ((flags & Sockets.MSG_PEEK) == 0) {
                receives.incrementAndGet();
                if (holdsReceive) {
                    holdsReceive = false;
                    receiveIsHeld.countDown();
                    assertTrue(await(receiveGoesOn));
                }
            }
            return next().recv(fd, buffer, count, flags);
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    /** Echoes. A piece of input that is "!" keeps its thread. */
    @BeforeEach
    void start() throws IOException {
        Ring probe = Rings.openDisabled(TestKernel.any(), Rings.SMALL);
        probe.close();
        assumeTrue(probe.features().deferTaskrun(), "Linux before 6.1");
        ConnectionHandler keeping = (connection, data) -> {
            if (data.remaining() == 1 && data.get(data.position()) == '!') {
                ownerIsKept.release();
                ownerGoesOn.acquire();
            }
            connection.write(data);
        };
        server = FaultyServer.startWithThreads(new Counting(TestKernel.any()), RingOptions.DEFAULT, 3);
        address = server.listen(keeping);
    }

    @AfterEach
    void stop() {
        receiveGoesOn.countDown();
        ownerGoesOn.release(1_000);
        server.close();
    }

    private void keepOwner(TestClient client) throws Exception {
        Await.until("the owner leads", () -> !server.set().isRelieved());
        client.send("!");
        assertTrue(ownerIsKept.tryAcquire(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    private static boolean isInLock(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Relief.class.getName())
                        && frame.getMethodName().equals("enter"));
    }

    /** The rule of who may read a socket: the owner's ring takes no byte while a thread stands between its check and its recv(2). */
    @Test
    void ownerStaysOutOfItsRingWhileAReliefIsAboutToReceive() throws Exception {
        try (TestClient kept = TestClient.connect(address).send("warm").expect("warm");
                TestClient other = TestClient.connect(address).send("warm").expect("warm")) {
            keepOwner(kept);
            other.send("served by the relief").expect("served by the relief");
            holdsReceive = true;
            other.send("first");
            assertTrue(await(receiveIsHeld));
            int before = entries.get();
            ownerGoesOn.release();
            Await.until("the owner waits for the relief", () -> isInLock(owner));
            other.send(", second");
            assertEquals(before, entries.get());
            receiveGoesOn.countDown();
            other.expect("first, second");
            kept.expect("!");
            Await.until("the owner is back", () -> !server.set().isRelieved() && entries.get() > before);
            other.send("third").expect("third");
        }
    }

    /** Calls epoll_ctl(2) for all connections at the first takeover, and hardly at those that follow. Prints what they take. */
    @Test
    void takeoverOfManyConnections() throws Exception {
        List<TestClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(TestClient.connect(address).send("warm").expect("warm"));
            }
            TestClient kept = clients.get(0);
            int fewestReceives = Integer.MAX_VALUE;
            for (int takeover = 0; takeover < 5; takeover++) {
                int watchedBefore = watched.get();
                int changedBefore = changed.get();
                int receivesBefore = receives.get();
                keepOwner(kept);
                long beginNs = System.nanoTime();
                clients.get(1).send("ping").expect("ping");
                double ms = (System.nanoTime() - beginNs) / 1e6;
                System.out.println(String.format(
                        Locale.ROOT,
                        "takeover %d of %d connections: answered within %.2f ms, %d watched, %d changed, %d receives",
                        takeover,
                        CONNECTIONS,
                        ms,
                        watched.get() - watchedBefore,
                        changed.get() - changedBefore,
                        receives.get() - receivesBefore));
                fewestReceives = Math.min(fewestReceives, receives.get() - receivesBefore);
                assertTrue(changed.get() - changedBefore <= 2, "only sockets that may have unread bytes");
                ownerGoesOn.release();
                kept.expect("!");
                clients.get(1).send("by the ring").expect("by the ring");
            }
            assertEquals(1, fewestReceives, "a second one would find nothing");
        } finally {
            for (TestClient client : clients) {
                client.close();
            }
        }
    }
}
