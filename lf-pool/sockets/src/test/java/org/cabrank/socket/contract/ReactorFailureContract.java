package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.ObjectName;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.transport.KernelRetry;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFailedException;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A shard that cannot go on ends its whole reactor, and nobody is left waiting. */
public abstract class ReactorFailureContract extends StreamContract {
    private static final int CLIENTS = 6;

    private final Queue<Throwable> closed = new ConcurrentLinkedQueue<>();
    private final Queue<ReactorFailedException> told = new ConcurrentLinkedQueue<>();
    private final AtomicReference<StreamReactor> toClose = new AtomicReference<>();

    /** Under the reactor. */
    protected abstract FaultyKernel kernel();

    /** The calls that the backend waits by. */
    protected abstract List<String> waits();

    /** Returns true if the kernel may keep a listening socket for a moment after its descriptor was closed. */
    protected boolean givesBackLater() {
        return false;
    }

    private final ConnectionHandler echo = new ConnectionHandler() {
        @Override
        public void data(Connection connection, ByteBuffer data) {
            connection.write(data);
        }

        @Override
        public void closed(Connection connection, Throwable cause) {
            closed.add(cause == null ? new Throwable("no cause") : cause);
        }
    };

    @AfterEach
    void forgetTheBound() {
        System.clearProperty(KernelRetry.LIMIT_PROPERTY);
    }

    private TestReactor startTold(String name) throws IOException {
        return start(StreamReactor.builder().name(name).jmx(true).onFailure(failure -> {
            told.add(failure);
            if (toClose.get() != null) {
                toClose.get().close(); // returns at once
            }
        }));
    }

    private List<TestClient> served(SocketAddress address) throws IOException {
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(client(address).send("x").expect("x"));
        }
        return clients;
    }

    private void failWaits(int errno) {
        for (String call : waits()) {
            kernel().plan(call, nth -> -errno);
        }
    }

    /** Ends waits that the kernel has let in. */
    private static void poke(List<TestClient> clients) {
        for (TestClient client : clients) {
            try {
                client.send("y");
            } catch (IOException reset) {
                return; // it has failed already
            }
        }
    }

    private static String shown(String name, String attribute) throws Exception {
        return String.valueOf(ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("org.cabrank:type=Reactor,name=" + name), attribute));
    }

    private static boolean isRefused(SocketAddress address) {
        try {
            TestClient.connect(address).close();
            return false;
        } catch (IOException refused) {
            return true;
        }
    }

    @Test
    void waitThatFailsEndsTheReactorAndItsConnections() throws Exception {
        int before = OpenDescriptors.count();
        TestReactor reactor = startTold("failing");
        toClose.set(reactor.reactor());
        SocketAddress address = reactor.listenAlone(echo);
        List<TestClient> clients = served(address);
        assertNull(reactor.reactor().failure());
        assertEquals("null", shown("failing", "Failure"));

        failWaits(Errno.EINVAL);
        poke(clients);
        ReactorFailedException thrown = assertThrows(
                ReactorFailedException.class, () -> reactor.reactor().awaitTermination());
        ReactorFailedException failure = reactor.reactor().failure();
        assertSame(failure.getCause(), thrown.getCause());
        assertEquals(
                Errno.EINVAL,
                assertInstanceOf(KernelException.class, thrown.getCause()).errno());
        assertTrue(failure.shard() >= 0 && failure.shard() < mode().shards(), failure::toString);
        assertEquals(List.of(failure), List.copyOf(told));
        assertTrue(shown("failing", "Failure").contains("EINVAL"));
        assertEquals(String.valueOf(failure.shard()), shown("failing", "FailedShard"));

        assertEquals(CLIENTS, closed.size());
        for (Throwable cause : closed) {
            assertSame(failure, assertInstanceOf(IOException.class, cause).getCause());
        }
        for (TestClient client : clients) {
            client.readAndForget();
        }
        if (givesBackLater()) {
            Await.until("connects are refused", () -> isRefused(address));
        } else {
            assertTrue(isRefused(address));
        }
        assertThrows(IllegalStateException.class, () -> reactor.reactor().connect(address, echo));
        closeWhatWasOpened();
        assertThrows(javax.management.JMException.class, () -> shown("failing", "Failure"));
        kernel().forget();
        Await.until("all descriptors are given back", () -> OpenDescriptors.count() <= before);
        assertEquals(1, told.size());
        assertEquals(0, kernel().closedTwice());
    }

    /** For want of memory it is tried again, for as long as the bound says. */
    @Test
    void waitThatIsRefusedForTooLongEndsTheReactor() throws Exception {
        System.setProperty(KernelRetry.LIMIT_PROPERTY, "60");
        TestReactor reactor = startTold("refused");
        List<TestClient> clients = served(reactor.listen(echo));
        failWaits(Errno.ENOMEM);
        poke(clients);
        ReactorFailedException thrown = assertThrows(
                ReactorFailedException.class, () -> reactor.reactor().awaitTermination());
        assertTrue(thrown.getMessage().contains("ENOMEM"), thrown::getMessage);
        assertTrue(thrown.getMessage().contains("in 60 ms; free memory"), thrown::getMessage);
        assertTrue(reactor.reactor().pools().stream()
                .flatMap(pool -> pool.handleSets().stream())
                .anyMatch(set -> set.kernelRetryCount() > 1));
        assertEquals(CLIENTS, closed.size());
    }

    /** Threads of the pool can make no thread. */
    @Test
    void threadThatWaitsEndsTheReactorIfNoThreadCanBeMadeForThat() throws Exception {
        AtomicBoolean exhausted = new AtomicBoolean();
        Queue<Thread> ending = new ConcurrentLinkedQueue<>();
        TestReactor reactor =
                start(StreamReactor.builder().onFailure(told::add).threadFactory(task -> new Thread(task) {
                    @Override
                    public ClassLoader getContextClassLoader() { // by the constructor of a thread that this one makes
                        if (exhausted.get()) {
                            throw new OutOfMemoryError("thrown on purpose");
                        }
                        return super.getContextClassLoader();
                    }
                }));
        List<TestClient> clients = served(reactor.listenAlone(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data);
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                ending.add(Thread.currentThread());
            }
        }));
        exhausted.set(true);
        failWaits(Errno.EINVAL);
        poke(clients);
        assertThrows(ReactorFailedException.class, () -> reactor.reactor().awaitTermination());
        assertEquals(Collections.nCopies(CLIENTS, Thread.currentThread()), List.copyOf(ending));
        assertEquals(List.of(reactor.reactor().failure()), List.copyOf(told));
    }

    /** The drain does not wait for connections that can no longer be served. */
    @Test
    void failureWhileDrainingEndsTheDrain() throws Exception {
        TestReactor reactor = startTold("draining");
        TestClient client = client(reactor.listen(new ConnectionHandler() {
                    @Override
                    public void opened(Connection connection) {
                        connection.write(ByteBuffer.allocate(1));
                        connection.pauseReading();
                    }

                    @Override
                    public void data(Connection connection, ByteBuffer data) {}

                    @Override
                    public void closed(Connection connection, Throwable cause) {
                        closed.add(cause);
                    }
                }))
                .send("never read");
        client.read(1);
        failWaits(Errno.EINVAL);
        Thread closing = new Thread(reactor.reactor()::close);
        closing.start();
        poke(List.of(client));
        closing.join(Duration.ofNanos(Await.PATIENCE_NS).toMillis());
        assertTrue(!closing.isAlive());
        assertNotNull(reactor.reactor().failure());
        assertEquals(1, told.size());
    }
}
