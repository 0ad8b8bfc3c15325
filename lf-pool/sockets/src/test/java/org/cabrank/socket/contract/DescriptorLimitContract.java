package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.DescriptorLimitException;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;

/** Limits of descriptors that connections of Unix sockets pass, and ends of such connections: none is leaked. */
public abstract class DescriptorLimitContract extends PassingFixture {
    @Test
    void descriptorsThatNobodyTakesAreClosedAndCountedAtTheEnd() throws Exception {
        int open = OpenDescriptors.count();
        CountDownLatch received = new CountDownLatch(3);
        CompletableFuture<Integer> takenAtTheEnd = new CompletableFuture<>();
        Ends ends = connect(
                new ConnectionHandler() {
                    @Override
                    public void data(Connection connection, ByteBuffer data) {
                        while (data.hasRemaining()) {
                            data.get();
                            received.countDown();
                        }
                    }

                    @Override
                    public void closed(Connection connection, Throwable cause) {
                        takenAtTheEnd.complete(connection.unixSocket().takeDescriptor());
                    }
                },
                MAX,
                MAX);
        for (int i = 1; i <= 3; i++) {
            pass(ends.sender(), "x", i, i);
        }
        received.await();
        assertEquals(6, ends.receiver().unixSocket().receivedDescriptors());
        ends.closeBoth();
        assertEquals(-1, takenAtTheEnd.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertEquals(6, ends.reactor().reactor().counters().descriptorsDropped());
        closeWhatWasOpened();
        assertEquals(open, OpenDescriptors.count());
    }

    @Test
    void moreDescriptorsThanTheLimitWithOneWriteEndTheConnection() throws Exception {
        DescriptorTaker taker = new DescriptorTaker(kernel);
        Ends ends = connect(taker, MAX, 3);
        pass(ends.sender(), "C", 1, 2, 3);
        awaitLog(taker, "C[1,2,3]");
        pass(ends.sender(), "D", 1, 2, 3, 4);
        Throwable cause = ends.receiving().awaitClosed();
        assertInstanceOf(DescriptorLimitException.class, cause);
        assertTrue(cause.getMessage().contains("more than 3 descriptors with one write"), cause::getMessage);
        assertTrue(cause.getMessage().contains("raise descriptorsMax"), cause::getMessage);
        assertEquals("C[1,2,3]", taker.log());
        ends.sending().awaitClosed();
        assertEquals(3, ends.reactor().reactor().counters().descriptorsDropped());
        assertEquals(0, ends.reactor().failureCount());
    }

    @Test
    void moreDescriptorsThanMayWaitEndTheConnection() throws Exception {
        Ends ends = connect(new Recorder(), MAX, 2);
        for (int i = 0; i < 5; i++) {
            int value = i;
            Await.until("there is room or an end", () -> ends.receiving().isClosed() || passed(ends.sender(), value));
        }
        Throwable cause = ends.receiving().awaitClosed();
        assertInstanceOf(DescriptorLimitException.class, cause);
        assertTrue(cause.getMessage().contains("4 wait, the limit"), cause::getMessage);
        ends.sending().awaitClosed();
        assertEquals(5, ends.reactor().reactor().counters().descriptorsDropped());
    }

    @Test
    void writerIsRefusedAndCalledAgainWhenTheDescriptorsAreSent() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        StringBuffer log = new StringBuffer();
        ConnectionHandler slow = (connection, data) -> {
            leave.await();
            log.append(Recorder.text(data));
            for (int fd = connection.unixSocket().takeDescriptor();
                    fd >= 0;
                    fd = connection.unixSocket().takeDescriptor()) {
                kernel.close(fd);
                log.append('+');
            }
        };
        AtomicBoolean sent = new AtomicBoolean();
        Recorder sending = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {}

            @Override
            public void writable(Connection connection) {
                sent.set(sent.get() || passed(connection, 4)); // also called at the low watermark, too early
            }
        });
        TestReactor receiver = start(); // another reactor: its only thread waits
        TestReactor sender = start();
        closing(leave::countDown);
        Recorder receiving = new Recorder(slow);
        Listener listener = receiver.reactor()
                .listen(
                        UnixSocketContract.ownName("slow"),
                        ListenOptions.DEFAULT.withDescriptorsMax(MAX),
                        () -> receiving);
        Connection connection = sender.reactor()
                .connect(listener.address(), ConnectOptions.DEFAULT.withDescriptorsMax(2), sending)
                .get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        byte[] much = new byte[1 << 20]; // more than the socket takes
        inCallback(connection, () -> {
            connection.write(ByteBuffer.wrap(much));
            pass(connection, "x", 1, 2);
            WriteQueueFullException full = assertThrows(WriteQueueFullException.class, () -> pass(connection, "y", 3));
            assertTrue(full.mayRetry());
            assertTrue(full.getMessage().contains("no more than 2 descriptors"), full::getMessage);
        });
        assertFalse(sent.get());
        leave.countDown();
        Await.until("all was received", () -> log.length() == much.length + 5);
        assertTrue(log.toString().endsWith("x++A+"));
        connection.close();
        receiving.awaitClosed();
        sending.awaitClosed();
    }

    @Test
    void descriptorsThatWereNotSentAreClosedWithTheConnection() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        TestReactor receiver = start();
        TestReactor sender = start();
        closing(leave::countDown);
        Recorder receiving = new Recorder((connection, data) -> leave.await());
        Recorder sending = new Recorder();
        Listener listener = receiver.reactor()
                .listen(
                        UnixSocketContract.ownName("stuck"),
                        ListenOptions.DEFAULT.withDescriptorsMax(MAX),
                        () -> receiving);
        Connection connection = sender.reactor()
                .connect(listener.address(), ConnectOptions.DEFAULT.withDescriptorsMax(MAX), sending)
                .get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        receiving.connection();
        int open = OpenDescriptors.count();
        inCallback(connection, () -> {
            connection.write(ByteBuffer.wrap(new byte[2 << 20]));
            pass(connection, "x", 1, 2, 3);
            pass(connection, "y", 4);
        });
        assertEquals(open + 4, OpenDescriptors.count());
        connection.abort();
        assertNull(sending.awaitClosed());
        Await.until("all are closed", () -> OpenDescriptors.count() <= open);
        leave.countDown();
        receiving.awaitClosed();
    }

    @Test
    void descriptorsOfAClosedConnectionAndOfRefusedWritesAreNotKept() throws Exception {
        DescriptorTaker taker = new DescriptorTaker(kernel);
        Ends ends = connect(taker, 2, 2);
        int open = OpenDescriptors.count();
        Connection sender = ends.sender();
        IOException notOpen = assertThrows(
                IOException.class, () -> sender.unixSocket().writeDescriptors(Recorder.bytes("B"), 0, 1 << 20));
        assertTrue(notOpen.getMessage().contains("EBADF"), notOpen::getMessage);
        assertTrue(notOpen.getMessage().contains("descriptor 1048576 cannot be passed"), notOpen::getMessage);
        ByteBuffer data = Recorder.bytes("C");
        assertThrows(IllegalArgumentException.class, () -> sender.unixSocket().writeDescriptors(data));
        assertThrows(IllegalArgumentException.class, () -> sender.unixSocket().writeDescriptors(data, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> sender.unixSocket().writeDescriptors(Recorder.bytes(""), 0));
        assertEquals(1, data.remaining());
        inCallback(
                sender,
                () -> assertThrows(
                        IOException.class,
                        () -> sender.unixSocket().writeDescriptors(Recorder.bytes("B"), 0, 1 << 20)));
        assertEquals(open, OpenDescriptors.count());
        pass(sender, "A", 9);
        awaitLog(taker, "A[9]");
        ends.closeBoth();
        // A ring closes sockets after the callbacks.
        Await.until("the sockets of both ends are closed", () -> OpenDescriptors.count() == open - 2);
        pass(sender, "A", 1);
        assertEquals(open - 2, OpenDescriptors.count());
    }

    @Test
    void descriptorsThatComeDuringTheCloseAreClosed() throws Exception {
        Ends ends = connect(
                (connection, data) -> {
                    data.position(data.limit());
                    connection.close();
                },
                MAX,
                MAX);
        ends.sender().pauseReading(); // so that the connection waits for the end of this side
        pass(ends.sender(), "A", 1);
        Await.until("the receiver closes", () -> {
            try {
                pass(ends.sender(), "B", 2, 3);
            } catch (WriteQueueFullException full) {
                assertTrue(full.mayRetry());
            }
            return ends.receiving().count("data") > 0;
        });
        ends.sender().close();
        ends.sending().awaitClosed();
        ends.receiving().awaitClosed();
        assertTrue(ends.reactor().reactor().counters().descriptorsDropped() >= 1);
    }

    @Test
    void tcpPassesNoDescriptors() throws Exception {
        TestReactor reactor = start();
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> reactor.listener(ListenOptions.DEFAULT.withDescriptorsMax(1), Recorder::new));
        assertTrue(refused.getMessage().contains("Unix sockets only"), refused::getMessage);
        SocketAddress address = reactor.listen(new Recorder());
        ExecutionException failed = assertThrows(
                ExecutionException.class,
                () -> reactor.reactor()
                        .connect(address, ConnectOptions.DEFAULT.withDescriptorsMax(1), new Recorder())
                        .get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertTrue(failed.getCause().getMessage().contains("Unix sockets only"), failed::getMessage);
        Connection tcp =
                reactor.reactor().connect(address, new Recorder()).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertThrows(
                UnsupportedOperationException.class, () -> tcp.unixSocket().writeDescriptors(Recorder.bytes("x"), 0));
        assertThrows(IllegalArgumentException.class, () -> ListenOptions.DEFAULT.withDescriptorsMax(254));
        assertThrows(IllegalArgumentException.class, () -> ConnectOptions.DEFAULT.withDescriptorsMax(-1));
    }

    @Test
    void deadlineEndsAConnectionWithDescriptorsInBothDirections() throws Exception {
        Ends ends = connect(new Recorder(), MAX, MAX);
        pass(ends.sender(), "xy", 1, 2);
        Await.until("they have come", () -> received(ends) == 2);
        ends.receiver().deadline(Duration.ofMillis(1));
        ends.receiving().awaitClosed();
        ends.sending().awaitClosed();
        assertEquals(2, ends.reactor().reactor().counters().descriptorsDropped());
    }
}
