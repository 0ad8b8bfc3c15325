package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Scheduling;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.source.Pipe;
import org.junit.jupiter.api.Test;

/** Readiness that a handle is notified of: existing readiness at once, changes once, and only the events of its interest. */
public abstract class ReadinessContract extends DescriptorContract {
    private static final int PIPE_ROOM = 1 << 16;

    private final List<Integer> told = new CopyOnWriteArrayList<>();

    private boolean wasTold(int bits) {
        return told.stream().anyMatch(ready -> (ready & bits) == bits);
    }

    /** Waits until a handle that became ready later has been served; earlier notifications have been delivered by then. */
    private void otherIsServed() throws IOException {
        Counting other = new Counting();
        int fd = eventFd();
        Handle handle = set.register(fd, Ready.READ, other);
        signal(fd);
        Await.until("another handle is served", () -> other.sum.get() == 1);
        handle.close();
        Await.until("it has left", () -> other.closed.get() == 1);
    }

    /** Otherwise timers would be up to 50 us late. */
    @Test
    void threadsOfThePoolHaveNoTimerSlack() throws Exception {
        int before = kernel.prctl(Scheduling.PR_GET_TIMERSLACK, 0);
        List<Integer> slacks = new CopyOnWriteArrayList<>();
        int fd = eventFd();
        set.register(fd, Ready.READ, (handle, ready) -> slacks.add(kernel.prctl(Scheduling.PR_GET_TIMERSLACK, 0)));
        serve();
        signal(fd);
        Await.until("a thread of the pool has asked", () -> !slacks.isEmpty());
        assertEquals(1, slacks.get(0));
        assertEquals(before, kernel.prctl(Scheduling.PR_GET_TIMERSLACK, 0));
    }

    private void fill(int writeFd) {
        long address = kernel.addressOf(ByteBuffer.allocateDirect(PIPE_ROOM));
        int written;
        do {
            written = kernel.write(writeFd, address, PIPE_ROOM);
        } while (written > 0);
        assertEquals(-Errno.EAGAIN, written);
    }

    private void empty(int readFd) {
        long address = kernel.addressOf(ByteBuffer.allocateDirect(PIPE_ROOM));
        int read;
        do {
            read = kernel.read(readFd, address, PIPE_ROOM);
        } while (read > 0);
        assertEquals(-Errno.EAGAIN, read);
    }

    /** Until it has come, the descriptor is connecting. */
    private int connect(ServerSocket to) throws IOException {
        ByteBuffer address =
                ByteBuffer.allocateDirect(SocketAddresses.ROOM_BYTES).order(ByteOrder.nativeOrder());
        int length = SocketAddresses.encode(to.getLocalSocketAddress(), address);
        int type = Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC;
        int fd = Errno.check("socket", kernel.socket(SocketAddresses.domain(to.getLocalSocketAddress()), type, 0));
        int result = kernel.connect(fd, kernel.addressOf(address), length);
        assertTrue(result == 0 || result == -Errno.EINPROGRESS, () -> Errno.name(-result));
        return fd;
    }

    private static ServerSocket listener() throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return listener;
    }

    @Test
    void handleThatIsRegisteredLateIsNotifiedOfExistingReadiness() throws Exception {
        serve();
        for (int i = 0; i < 20; i++) {
            Counting counting = new Counting();
            int fd = eventFd();
            signal(fd);
            set.register(fd, Ready.READ, counting);
            Await.until("it is told", () -> counting.sum.get() == 1);
        }
    }

    @Test
    void unreadInputIsReportedAgainWhenTheHandleIsRearmed() throws Exception {
        assumeTrue(mode.deactivation() == Deactivation.ONESHOT, "else it stays armed");
        AtomicInteger calls = new AtomicInteger();
        Counting counting = new Counting();
        int fd = eventFd();
        set.register(fd, Ready.READ, (handle, ready) -> {
            if (calls.incrementAndGet() > 3) {
                counting.handleEvent(handle, ready);
            }
        });
        serve();
        signal(fd);
        Await.until("it was told until it was taken", () -> counting.sum.get() == 1);
    }

    @Test
    void unreadInputIsReportedOnceWhileTheHandleStaysArmed() throws Exception {
        assumeTrue(mode.deactivation() == Deactivation.CLAIM, "else it is told again");
        int fd = eventFd();
        set.register(fd, Ready.READ, (handle, ready) -> told.add(ready));
        serve();
        signal(fd);
        Await.until("it is told", () -> !told.isEmpty());
        otherIsServed();
        assertEquals(List.of(Ready.READ), told);
        signal(fd);
        Await.until("it is told of the next", () -> told.size() == 2);
    }

    @Test
    void callsForOneHandleDoNotOverlapAndNoSignalIsLost() throws Exception {
        int writers = 3;
        int each = 500;
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        Counting counting = new Counting();
        int fd = eventFd();
        set.register(fd, Ready.READ, (handle, ready) -> {
            overlaps.addAndGet(inside.getAndIncrement());
            counting.handleEvent(handle, ready);
            inside.decrementAndGet();
        });
        serve();
        List<TestThread> threads = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            threads.add(TestThread.start("writer " + i, () -> {
                for (int sent = 0; sent < each; sent++) {
                    signal(fd);
                }
            }));
        }
        for (TestThread writer : threads) {
            writer.join();
        }
        Await.until("every signal was counted", () -> counting.sum.get() == writers * each);
        assertEquals(0, overlaps.get());
    }

    @Test
    void handlerIsNotifiedOfRoomToWrite() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        fill(pipe.writeFd());
        set.register(pipe.writeFd(), Ready.WRITE, (handle, ready) -> told.add(ready));
        serve();
        otherIsServed();
        assertEquals(List.of(), told);
        empty(pipe.readFd());
        Await.until("there is room", () -> wasTold(Ready.WRITE));
        kernel.close(pipe.readFd());
    }

    /** 0, and then what it was registered with again. */
    @Test
    void handlerIsNotifiedOfItsInterestOnly() throws Exception {
        assumeTrue(mode.deactivation() == Deactivation.ONESHOT, "else it is told all that it was registered with");
        Pipe pipe = Pipe.open(kernel);
        DescriptorHandle handle = set.register(pipe.writeFd(), Ready.WRITE, (own, ready) -> {
            told.add(ready);
            set.interest((DescriptorHandle) own, (ready & Ready.POSTED) != 0 ? Ready.WRITE : 0);
        });
        serve();
        Await.until("there is room", () -> wasTold(Ready.WRITE));
        otherIsServed();
        assertEquals(List.of(Ready.WRITE), told, "nobody wants to know any more");
        assertEquals(0, handle.interest());
        handle.post(Ready.POSTED);
        Await.until("it is told again", () -> told.size() >= 3);
        otherIsServed();
        assertEquals(List.of(Ready.WRITE, Ready.POSTED, Ready.WRITE), told);
        kernel.close(pipe.readFd());
    }

    @Test
    void interestCanBeChanged() throws Exception {
        assumeTrue(mode.deactivation() == Deactivation.ONESHOT, "else it is told all that it was registered with");
        try (ServerSocket listener = listener()) {
            int fd = connect(listener);
            set.register(fd, Ready.WRITE, (own, ready) -> {
                told.add(ready);
                set.interest((DescriptorHandle) own, (ready & Ready.READ) != 0 ? 0 : Ready.READ);
            });
            serve();
            try (Socket peer = listener.accept()) {
                Await.until("it is connected", () -> wasTold(Ready.WRITE));
                otherIsServed();
                assertEquals(List.of(Ready.WRITE), told);
                peer.getOutputStream().write(1);
                Await.until("there is something to read", () -> told.size() == 2);
                assertEquals(Ready.READ, told.get(1));
            }
        }
    }

    @Test
    void hangupAndErrorAreReportedWithoutInterest() throws Exception {
        Pipe read = Pipe.open(kernel);
        Pipe written = Pipe.open(kernel);
        set.register(read.readFd(), 0, (handle, ready) -> told.add(ready));
        set.register(written.writeFd(), 0, (handle, ready) -> told.add(ready));
        serve();
        otherIsServed();
        assertEquals(List.of(), told);
        kernel.close(read.writeFd());
        Await.until("nobody writes any more", () -> wasTold(Ready.HANGUP));
        otherIsServed();
        assertEquals(1, told.size(), "an error that nobody reads is not told for ever");
        kernel.close(written.readFd());
        Await.until("nobody reads any more", () -> wasTold(Ready.ERROR));
    }

    @Test
    void endOfTheInputIsReported() throws Exception {
        try (ServerSocket listener = listener()) {
            int fd = connect(listener);
            set.register(fd, Ready.READ, (handle, ready) -> told.add(ready));
            serve();
            try (Socket peer = listener.accept()) {
                peer.shutdownOutput();
                Await.until("the peer has closed its side", () -> wasTold(Ready.READ | Ready.INPUT_CLOSED));
            }
        }
    }

    /** The kernel gives the number out at once: events of the former handle must not reach the new handle. */
    @Test
    void reusedDescriptorNumberServesItsNewHandle() throws Exception {
        serve();
        for (int i = 0; i < 200; i++) {
            Counting counting = new Counting();
            int fd = eventFd();
            Handle handle = set.register(fd, Ready.READ, counting);
            signal(fd);
            Await.until("it is counted", () -> counting.sum.get() == 1);
            signal(fd); // an event that may come too late
            handle.close();
            Await.until("it is closed", () -> counting.closed.get() == 1);
            int calls = counting.calls.get();
            assertTrue(calls <= 2, () -> calls + " calls");
        }
    }

    @Test
    void handlersRegisterAndCloseOthers() throws Exception {
        Counting closedByTheOther = new Counting();
        CountDownLatch done = new CountDownLatch(1);
        int first = eventFd();
        int second = eventFd();
        set.register(first, Ready.READ, new EventHandler() {
            @Override
            public void handleEvent(Handle own, int ready) throws IOException {
                closedByTheOther.handleEvent(own, ready);
                set.register(second, Ready.READ, (other, otherReady) -> {
                    own.close();
                    done.countDown();
                });
                signal(second);
            }

            @Override
            public void handleClosed(Handle own, Throwable cause) {
                assertNull(cause);
                closedByTheOther.handleClosed(own, cause);
            }
        });
        serve();
        signal(first);
        done.await();
        Await.until("the first is closed", () -> closedByTheOther.closed.get() == 1);
        assertEquals(1, set.handleCount());
    }

    /** No handler call follows {@code handleClosed}. */
    @Test
    void noCallFollowsTheLastOneUnderFire() throws Exception {
        serve();
        for (int i = 0; i < 50; i++) {
            AtomicInteger late = new AtomicInteger();
            Counting counting = new Counting();
            int fd = eventFd();
            Handle handle = set.registerBorrowed(fd, Ready.READ, new EventHandler() {
                @Override
                public void handleEvent(Handle own, int ready) {
                    late.addAndGet(counting.closed.get());
                    counting.handleEvent(own, ready);
                }

                @Override
                public void handleClosed(Handle own, Throwable cause) {
                    counting.handleClosed(own, cause);
                }
            });
            TestThread firing = TestThread.start("firing", () -> {
                while (counting.closed.get() == 0) {
                    signal(fd);
                }
            });
            Await.until("it is under fire", () -> counting.calls.get() > 0);
            handle.close();
            firing.join();
            assertEquals(1, counting.closed.get());
            assertEquals(0, late.get());
            kernel.close(fd);
        }
    }
}
