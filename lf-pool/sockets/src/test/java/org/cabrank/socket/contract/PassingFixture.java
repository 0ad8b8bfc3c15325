package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two ends of a connection that passes descriptors, and the check that a test leaves none open. */
abstract class PassingFixture extends StreamContract {
    static final int MAX = 8;

    final Kernel kernel = TestKernel.any();
    private int before;

    /** The two ends of one connection. */
    record Ends(TestReactor reactor, Connection sender, Recorder sending, Recorder receiving) {
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

    final Ends connect(ConnectionHandler receiving, int sendingMax, int receivingMax) throws Exception {
        return connect(start(), new Recorder(), receiving, sendingMax, receivingMax);
    }

    final Ends connect(
            TestReactor reactor, Recorder sending, ConnectionHandler receiving, int sendingMax, int receivingMax)
            throws Exception {
        return connect(reactor, reactor, sending, receiving, sendingMax, receivingMax);
    }

    /** Two reactors, for handlers that hold up the only thread of one. */
    final Ends connect(
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
    final int counter(int value) {
        int fd = kernel.eventfd(value, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC);
        assertTrue(fd >= 0, () -> Errno.describe(-fd));
        return fd;
    }

    /** Writes with descriptors of these values, which are closed at once. */
    final void pass(Connection connection, String text, int... values) {
        int[] descriptors = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            descriptors[i] = counter(values[i]);
        }
        try {
            connection.unixSocket().writeDescriptors(Recorder.bytes(text), descriptors);
        } catch (IOException e) {
            throw new AssertionError(e);
        } finally {
            for (int descriptor : descriptors) {
                kernel.close(descriptor);
            }
        }
    }

    static void awaitLog(DescriptorTaker taker, String expected) {
        Await.until(expected + " was received", () -> taker.log().length() >= expected.length());
        assertEquals(expected, taker.log());
    }

    static void inCallback(Connection connection, Runnable task) throws Exception {
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

    final boolean passed(Connection connection, int value) {
        return passed(connection, "A", value);
    }

    final boolean passed(Connection connection, String text, int... values) {
        try {
            pass(connection, text, values);
            return true;
        } catch (WriteQueueFullException full) {
            assertTrue(full.mayRetry());
            return false;
        }
    }

    static int received(Ends ends) {
        try {
            return ends.receiver().unixSocket().receivedDescriptors();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
