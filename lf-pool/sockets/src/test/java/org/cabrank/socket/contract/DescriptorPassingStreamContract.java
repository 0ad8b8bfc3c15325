package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;

/** Descriptors that connections of Unix sockets pass arrive in order with the bytes. */
public abstract class DescriptorPassingStreamContract extends PassingFixture {
    private static final int MESSAGES = 200;

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
        assertEquals(0, ends.receiver().unixSocket().receivedDescriptors());
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

    @Test
    void bothDirectionsPassDescriptors() throws Exception {
        DescriptorTaker back = new DescriptorTaker(kernel);
        Recorder sending = new Recorder(back);
        Ends ends = connect(
                start(),
                sending,
                (connection, data) -> {
                    ByteBuffer answer = ByteBuffer.allocate(1).put(data.get()).flip();
                    int descriptor = connection.unixSocket().takeDescriptor();
                    connection.unixSocket().writeDescriptors(answer, descriptor);
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
                    for (int fd = connection.unixSocket().takeDescriptor();
                            fd >= 0;
                            fd = connection.unixSocket().takeDescriptor()) {
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
        ends.sender().unixSocket().writeDescriptors(Recorder.bytes("x"), descriptors);
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
                            .append(connection.unixSocket().receivedDescriptors())
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
                UnsupportedOperationException.class,
                () -> ends.receiver().unixSocket().takeDescriptor());
        assertTrue(refused.getMessage().contains("descriptorsMax"), refused::getMessage);
        ends.closeBoth();
        assertEquals(0, ends.reactor().reactor().counters().descriptorsDropped());
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
                    taken.complete(successor
                            .reactor()
                            .listen(connection.unixSocket().takeDescriptor(), ListenOptions.DEFAULT, () -> echo));
                },
                MAX,
                MAX);
        int listening = Errno.check("socket", sockets.streamSocket(TestReactor.loopback(0)));
        Errno.check("bind", sockets.bind(listening, TestReactor.loopback(0)));
        Errno.check("listen", kernel.listen(listening, Sockets.SOMAXCONN));
        SocketAddress address = sockets.localAddress(listening);
        ends.sender().unixSocket().writeDescriptors(Recorder.bytes("L"), listening);
        kernel.close(listening);
        assertEquals(address, taken.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS).address());
        client(address).send("x").expect("x").endOutput().expectEnd();
        ends.closeBoth();
        assertFalse(taken.join().closed().isDone());
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
}
