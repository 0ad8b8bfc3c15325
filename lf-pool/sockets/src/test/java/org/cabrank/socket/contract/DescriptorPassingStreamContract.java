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
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.DescriptorLimitException;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Descriptors that connections of Unix sockets pass: they arrive in order with the bytes, and none is leaked. */
public abstract class DescriptorPassingStreamContract extends StreamContract {
    private static final int MAX = 8;
    private static final int MESSAGES = 200;

    private final Kernel kernel = TestKernel.any();
    private int before;

    /** The two ends of one connection. */
    private record Ends(TestReactor reactor, Connection sender, Recorder sending, Recorder receiving) {
        Connection receiver() throws Exception {
            return receiving.connection();
        }

        void closeBoth() throws Exception {
            sender.close();
            sending.awaitClosed();
            receiving.awaitClosed();
        }
    }

    @BeforeEach
    void countDescriptors() throws Exception {
        connect(new DescriptorTaker(kernel), MAX, MAX); // classes that the JVM loads for the first time
        closeWhatWasOpened();
        before = OpenDescriptors.count();
    }

    @AfterEach
    void nothingIsLeftOpen() throws Exception {
        closeWhatWasOpened();
        assertEquals(before, OpenDescriptors.count());
    }

    private Ends connect(ConnectionHandler receiving, int sendingMax, int receivingMax) throws Exception {
        return connect(start(), new Recorder(), receiving, sendingMax, receivingMax);
    }

    private Ends connect(
            TestReactor reactor, Recorder sending, ConnectionHandler receiving, int sendingMax, int receivingMax)
            throws Exception {
        return connect(reactor, reactor, sending, receiving, sendingMax, receivingMax);
    }

    /** Two reactors, for handlers that hold up the only thread of one. */
    private Ends connect(
            TestReactor reactor,
            TestReactor ofReceiver,
            Recorder sending,
            ConnectionHandler receiving,
            int sendingMax,
            int receivingMax)
            throws Exception {
        Recorder receiver = new Recorder(receiving);
        SocketAddress address = ofReceiver
                .reactor()
                .listen(
                        UnixSocketContract.ownName("fds"),
                        ListenOptions.DEFAULT.withDescriptorsMax(receivingMax),
                        () -> receiver)
                .address();
        Connection sender = reactor.reactor()
                .connect(address, ConnectOptions.DEFAULT.withDescriptorsMax(sendingMax), sending)
                .get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        receiver.connection();
        return new Ends(reactor, sender, sending, receiver);
    }

    /** An eventfd of this value; the caller closes it. */
    private int counter(int value) {
        int fd = kernel.eventfd(value, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC);
        assertTrue(fd >= 0, () -> Errno.describe(-fd));
        return fd;
    }

    /** Writes with descriptors of these values, which are closed at once. */
    private void pass(Connection connection, String text, int... values) {
        int[] descriptors = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            descriptors[i] = counter(values[i]);
        }
        try {
            connection.writeDescriptors(Recorder.bytes(text), descriptors);
        } catch (IOException e) {
            throw new AssertionError(e);
        } finally {
            for (int descriptor : descriptors) {
                kernel.close(descriptor);
            }
        }
    }

    private static void awaitLog(DescriptorTaker taker, String expected) {
        Await.until(expected + " was received", () -> taker.log().length() >= expected.length());
        assertEquals(expected, taker.log());
    }

    private static void inCallback(Connection connection, Runnable task) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        connection.execute(() -> {
            try {
                task.run();
                done.complete(null);
            } catch (Throwable failed) {
                done.completeExceptionally(failed);
            }
        });
        done.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    @Test
    void descriptorsArriveInOrderWithTheOtherWritesOfACallback() throws Exception {
        DescriptorTaker taker = new DescriptorTaker(kernel);
        Ends ends = connect(taker, MAX, MAX);
        inCallback(ends.sender(), () -> {
            ends.sender().write(Recorder.bytes("ab"));
            pass(ends.sender(), "Ac", 11);
            ends.sender().write(Recorder.bytes("de"));
            pass(ends.sender(), "B", 22, 33);
            pass(ends.sender(), "A", 44);
            ends.sender().write(Recorder.bytes("f"));
        });
        awaitLog(taker, "abA[11]cdeB[22,33]A[44]f");
        assertEquals(0, ends.receiver().receivedDescriptors());
        ends.closeBoth();
        assertEquals(0, ends.reactor().reactor().counters().descriptorsDropped());
        assertEquals(0, ends.reactor().failureCount());
    }

    @Test
    void otherThreadsPassDescriptorsInTheOrderOfTheirCalls() throws Exception {
        DescriptorTaker taker = new DescriptorTaker(kernel);
        Ends ends = connect(taker, MAX, MAX);
        StringBuilder expected = new StringBuilder();
        for (int i = 1; i <= 20; i++) {
            int value = i;
            ends.sender().write(Recorder.bytes("x"));
            Await.until("there is room", () -> passed(ends.sender(), value));
            expected.append("xA[").append(i).append(']');
        }
        awaitLog(taker, expected.toString());
        ends.closeBoth();
    }

    private boolean passed(Connection connection, int value) {
        return passed(connection, "A", value);
    }

    private boolean passed(Connection connection, String text, int... values) {
        try {
            pass(connection, text, values);
            return true;
        } catch (WriteQueueFullException full) {
            assertTrue(full.mayRetry());
            return false;
        }
    }

    @Test
    void bothDirectionsPassDescriptors() throws Exception {
        DescriptorTaker back = new DescriptorTaker(kernel);
        Recorder sending = new Recorder(back);
        Ends ends = connect(
                start(),
                sending,
                (connection, data) -> {
                    ByteBuffer answer = ByteBuffer.allocate(1).put(data.get()).flip();
                    int descriptor = connection.takeDescriptor();
                    connection.writeDescriptors(answer, descriptor);
                    kernel.close(descriptor);
                },
                MAX,
                MAX);
        for (int i = 1; i <= 3; i++) {
            pass(ends.sender(), "A", i);
            awaitLog(back, "A[1]A[2]A[3]".substring(0, 4 * i));
        }
        ends.closeBoth();
    }

    @Test
    void asManyDescriptorsAsTheKernelAllowsGoWithOneWrite() throws Exception {
        int max = ListenOptions.DESCRIPTORS_MAX;
        CompletableFuture<Integer> received = new CompletableFuture<>();
        Ends ends = connect(
                (connection, data) -> {
                    data.position(data.limit());
                    int count = 0;
                    for (int fd = connection.takeDescriptor(); fd >= 0; fd = connection.takeDescriptor()) {
                        kernel.close(fd);
                        count++;
                    }
                    received.complete(count);
                },
                max,
                max);
        int counter = counter(1);
        int[] descriptors = new int[max];
        Arrays.fill(descriptors, counter);
        ends.sender().writeDescriptors(Recorder.bytes("x"), descriptors);
        kernel.close(counter);
        assertEquals(max, received.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        ends.closeBoth();
    }

    @Test
    void descriptorsWaitUntilTheHandlerHasReadTheirMessage() throws Exception {
        StringBuffer seen = new StringBuffer();
        DescriptorTaker taker = new DescriptorTaker(kernel);
        Ends ends = connect(
                (connection, data) -> {
                    seen.append(data.remaining())
                            .append('/')
                            .append(connection.receivedDescriptors())
                            .append(' ');
                    if (data.remaining() >= 4) {
                        taker.data(connection, data);
                    }
                },
                MAX,
                MAX);
        pass(ends.sender(), "A", 5);
        Await.until("the first byte is seen", () -> seen.toString().equals("1/1 "));
        ends.sender().write(Recorder.bytes("xyz"));
        awaitLog(taker, "A[5]xyz");
        assertTrue(seen.toString().endsWith("4/1 "), seen::toString);
        ends.closeBoth();
        assertEquals(0, ends.reactor().reactor().counters().descriptorsDropped());
    }

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
                        takenAtTheEnd.complete(connection.takeDescriptor());
                    }
                },
                MAX,
                MAX);
        for (int i = 1; i <= 3; i++) {
            pass(ends.sender(), "x", i, i);
        }
        received.await();
        assertEquals(6, ends.receiver().receivedDescriptors());
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

    /** The kernel ends a receive behind bytes that came with descriptors, although more bytes are there. */
    @Test
    void connectionWithoutTheOptionGetsAllBytesAndNoDescriptor() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        StringBuffer log = new StringBuffer();
        Ends ends = connect(
                start(),
                start(),
                new Recorder(),
                (connection, data) -> {
                    log.append(Recorder.text(data));
                    entered.countDown();
                    leave.await();
                },
                MAX,
                0);
        closing(leave::countDown);
        ends.sender().write(Recorder.bytes("a"));
        entered.await();
        for (int i = 1; i <= 3; i++) {
            pass(ends.sender(), "b", i);
            ends.sender().write(Recorder.bytes("c"));
        }
        Await.until("all is with the kernel", () -> ends.sender().queuedBytes() == 0);
        leave.countDown();
        Await.until("all bytes were received", () -> log.length() == 7);
        assertEquals("abcbcbc", log.toString());
        UnsupportedOperationException refused = assertThrows(
                UnsupportedOperationException.class, () -> ends.receiver().takeDescriptor());
        assertTrue(refused.getMessage().contains("descriptorsMax"), refused::getMessage);
        ends.closeBoth();
        assertEquals(0, ends.reactor().reactor().counters().descriptorsDropped());
    }

    @Test
    void writerIsRefusedAndCalledAgainWhenTheDescriptorsAreSent() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        StringBuffer log = new StringBuffer();
        ConnectionHandler slow = (connection, data) -> {
            leave.await();
            log.append(Recorder.text(data));
            for (int fd = connection.takeDescriptor(); fd >= 0; fd = connection.takeDescriptor()) {
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
        IOException notOpen =
                assertThrows(IOException.class, () -> sender.writeDescriptors(Recorder.bytes("B"), 0, 1 << 20));
        assertTrue(notOpen.getMessage().contains("EBADF"), notOpen::getMessage);
        assertTrue(notOpen.getMessage().contains("descriptor 1048576 cannot be passed"), notOpen::getMessage);
        ByteBuffer data = Recorder.bytes("C");
        assertThrows(IllegalArgumentException.class, () -> sender.writeDescriptors(data));
        assertThrows(IllegalArgumentException.class, () -> sender.writeDescriptors(data, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> sender.writeDescriptors(Recorder.bytes(""), 0));
        assertEquals(1, data.remaining());
        inCallback(
                sender,
                () -> assertThrows(IOException.class, () -> sender.writeDescriptors(Recorder.bytes("B"), 0, 1 << 20)));
        assertEquals(open, OpenDescriptors.count());
        pass(sender, "A", 9);
        awaitLog(taker, "A[9]");
        ends.closeBoth();
        int closed = OpenDescriptors.count();
        pass(sender, "A", 1);
        assertEquals(closed, OpenDescriptors.count());
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
    void drainGivesTheHandlerWhatHasCome() throws Exception {
        DescriptorTaker taker = new DescriptorTaker(kernel);
        Ends ends = connect(taker, MAX, MAX);
        inCallback(ends.sender(), () -> {
            for (int i = 1; i <= 3; i++) {
                pass(ends.sender(), "A", i);
                ends.sender().write(Recorder.bytes("x"));
            }
            ends.sender().flush(); // gathered bytes are not counted as queued
        });
        Await.until("all is with the kernel", () -> ends.sender().queuedBytes() == 0);
        ends.reactor().reactor().close();
        assertEquals("A[1]xA[2]xA[3]x", taker.log());
    }

    /** The drain is asked for while a receive that has ended with bytes is not processed yet. */
    @Test
    void drainEndsAConnectionWhoseLastBytesHaveJustCome() throws Exception {
        TestReactor receiver = start();
        TestReactor sender = start();
        CyclicBarrier entered = new CyclicBarrier(2);
        CyclicBarrier leave = new CyclicBarrier(2);
        Ends held = connect(
                sender,
                receiver,
                new Recorder(),
                (connection, data) -> {
                    data.position(data.limit());
                    entered.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
                    leave.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
                },
                MAX,
                MAX);
        DescriptorTaker taker = new DescriptorTaker(kernel);
        Ends ends = connect(sender, receiver, new Recorder(), taker, MAX, MAX);
        held.sender().write(Recorder.bytes("x"));
        entered.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        held.sender().write(Recorder.bytes("x"));
        pass(ends.sender(), "A", 7);
        Await.until(
                "all is with the kernel",
                () -> held.sender().queuedBytes() + ends.sender().queuedBytes() == 0);
        leave.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        entered.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        Thread closer = new Thread(receiver::close);
        closer.start();
        Await.until("the drain has been asked for", () -> closer.getState() == Thread.State.TIMED_WAITING);
        leave.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertNull(ends.receiving().awaitClosed());
        assertEquals("A[7]", taker.log());
        closer.join();
    }

    @Test
    void pausedAndOffloadedHandlersGetDescriptorsInOrder() throws Exception {
        DescriptorTaker taker = new DescriptorTaker(kernel);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Ends ends = connect(
                    (connection, data) -> {
                        taker.data(connection, data);
                        connection.offload(executor, () -> 1, (own, result) -> {});
                    },
                    MAX,
                    MAX);
            ends.receiver().pauseReading();
            for (int i = 1; i <= 4; i++) {
                pass(ends.sender(), "A", i);
            }
            ends.receiver().resumeReading();
            awaitLog(taker, "A[1]A[2]A[3]A[4]");
            ends.closeBoth();
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void connectionKeepsItsDescriptorsWhenItMoves() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(2).drainTimeout(PATIENT_DRAIN));
        DescriptorTaker taker = new DescriptorTaker(kernel);
        ConnectionHandler whole = (connection, data) -> {
            if (data.remaining() >= 2) {
                taker.data(connection, data);
            }
        };
        Ends ends = connect(reactor, new Recorder(), whole, MAX, MAX);
        StringBuilder expected = new StringBuilder();
        for (int i = 1; i <= 6; i++) {
            pass(ends.sender(), "A", i);
            Await.until("it has come", () -> received(ends) == 1);
            int to = 1 - ends.receiver().shard();
            assertTrue(ends.receiver().moveTo(to).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            assertTrue(ends.sender().moveTo(1 - ends.sender().shard()).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            ends.sender().write(Recorder.bytes("x"));
            expected.append("A[").append(i).append("]x");
            awaitLog(taker, expected.toString());
        }
        ends.closeBoth();
        assertEquals(0, reactor.reactor().counters().descriptorsDropped());
    }

    private static int received(Ends ends) {
        try {
            return ends.receiver().receivedDescriptors();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Each descriptor arrives once, with its byte and in order, while both sides send as fast as they may. */
    @Test
    void manyDescriptorsInBothDirectionsBalance() throws Exception {
        DescriptorTaker back = new DescriptorTaker(kernel);
        DescriptorTaker forth = new DescriptorTaker(kernel);
        Ends ends = connect(start(), new Recorder(back), forth, MAX, MAX);
        CompletableFuture<String> backSent = CompletableFuture.supplyAsync(() -> passMany(receiverOf(ends), 2));
        String forthSent = passMany(ends.sender(), 1);
        awaitLog(forth, forthSent);
        awaitLog(back, backSent.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        ends.closeBoth();
        assertEquals(0, ends.reactor().reactor().counters().descriptorsDropped());
        assertEquals(0, ends.reactor().failureCount());
    }

    private static Connection receiverOf(Ends ends) {
        try {
            return ends.receiver();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the log that the receiver must have. */
    private String passMany(Connection connection, long seed) {
        Random random = new Random(seed);
        StringBuilder expected = new StringBuilder();
        int value = 1;
        for (int i = 0; i < MESSAGES; i++) {
            int count = 1 + random.nextInt(MAX);
            int[] values = IntStream.range(value, value + count).toArray();
            value += count;
            String plain = "x".repeat(random.nextInt(3));
            String rest = "y".repeat(random.nextInt(i % 50 == 0 ? 20_000 : 30));
            String letter = String.valueOf((char) ('A' + count - 1));
            if (!plain.isEmpty()) {
                connection.write(Recorder.bytes(plain));
            }
            Await.until("there is room", () -> passed(connection, letter + rest, values));
            expected.append(plain)
                    .append(letter)
                    .append(Arrays.toString(values).replace(" ", ""))
                    .append(rest);
        }
        return expected.toString();
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
        assertThrows(UnsupportedOperationException.class, () -> tcp.writeDescriptors(Recorder.bytes("x"), 0));
        assertThrows(IllegalArgumentException.class, () -> ListenOptions.DEFAULT.withDescriptorsMax(254));
        assertThrows(IllegalArgumentException.class, () -> ConnectOptions.DEFAULT.withDescriptorsMax(-1));
    }

    /** The beginning of a restart without a gap: the next process listens with the socket of the former one. */
    @Test
    void receivedListeningSocketIsServed() throws Exception {
        SocketOps sockets = new SocketOps(kernel);
        TestReactor successor = start();
        CompletableFuture<Listener> taken = new CompletableFuture<>();
        ConnectionHandler echo = (connection, data) -> connection.write(data);
        Ends ends = connect(
                (connection, data) -> {
                    data.position(data.limit());
                    taken.complete(
                            successor.reactor().listen(connection.takeDescriptor(), ListenOptions.DEFAULT, () -> echo));
                },
                MAX,
                MAX);
        int listening = Errno.check("socket", sockets.streamSocket(TestReactor.loopback(0)));
        Errno.check("bind", sockets.bind(listening, TestReactor.loopback(0)));
        Errno.check("listen", kernel.listen(listening, Sockets.SOMAXCONN));
        SocketAddress address = sockets.localAddress(listening);
        ends.sender().writeDescriptors(Recorder.bytes("L"), listening);
        kernel.close(listening);
        assertEquals(address, taken.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS).address());
        client(address).send("x").expect("x").endOutput().expectEnd();
        ends.closeBoth();
        assertFalse(taken.join().closed().isDone());
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
