package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMException;
import javax.management.ObjectName;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ListenerCounters;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listeners: several on one reactor, paused, resumed, counted and closed before the reactor. */
public abstract class ListenerContract extends StreamContract {
    private static final int SHARDS = 2;

    private static final AtomicInteger REACTORS = new AtomicInteger();

    /** Connections of another listener that are served behind one that must not be served, in every shard. */
    private static final int LATER_CLIENTS = 10;

    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    private static void awaitClosed(Listener listener) throws Exception {
        listener.closed().get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    private static void assertRefusedAt(SocketAddress address) throws Exception {
        try (SocketChannel channel = SocketChannel.open(address)) {
            throw new AssertionError("connected to " + channel.getRemoteAddress());
        } catch (ConnectException refused) {
            assertTrue(refused.getMessage().contains("refused"), refused::toString);
        }
    }

    @Test
    void closedListenerLeavesItsConnectionsAndTheOtherListeners() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(2));
        Listener closed = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        Listener other = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        TestClient standing = client(closed.address()).send("x").expect("x");
        assertFalse(closed.closed().isDone());
        closed.close();
        closed.close();
        awaitClosed(closed);
        assertRefusedAt(closed.address());
        standing.send("still").expect("still");
        client(other.address()).send("y").expect("y");
        assertFalse(other.closed().isDone());
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void openListenersAreListedAndShownOverJmxWithTheirPauses() throws Exception {
        String name = "listening" + REACTORS.incrementAndGet();
        TestReactor reactor =
                start(StreamReactor.builder().shards(SHARDS).name(name).jmx(true));
        ObjectName bean = new ObjectName("org.cabrank:type=Reactor,name=" + name);
        Listener first = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        Listener second = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        assertEquals(List.of(first, second), reactor.reactor().listeners());
        assertEquals(2, shown(bean, "Listeners").length);
        assertEquals(0, shown(bean, "PausedListeners").length);
        second.pause();
        assertArrayEquals(
                new String[] {"127.0.0.1:" + ((InetSocketAddress) second.address()).getPort()},
                shown(bean, "PausedListeners"));
        second.resume();
        assertEquals(0, shown(bean, "PausedListeners").length);
        first.close();
        Await.until("one is left", () -> reactor.reactor().listeners().equals(List.of(second)));
    }

    private static String[] shown(ObjectName bean, String attribute) throws JMException {
        return (String[]) ManagementFactory.getPlatformMBeanServer().getAttribute(bean, attribute);
    }

    @Test
    void addressOfAClosedListenerIsFree() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(2));
        Listener first = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        client(first.address()).send("x").expect("x");
        first.close();
        awaitClosed(first);
        Listener second = reactor.reactor().listen(first.address(), ListenOptions.DEFAULT, () -> ECHO);
        client(second.address()).send("y").expect("y");
    }

    @Test
    void fileOfAClosedUnixListenerIsRemoved(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("echo");
        Listener listener =
                start().reactor().listen(UnixDomainSocketAddress.of(file), ListenOptions.DEFAULT, () -> ECHO);
        TestClient standing = client(listener.address()).send("x").expect("x");
        listener.close();
        awaitClosed(listener);
        assertFalse(Files.exists(file));
        standing.send("still").expect("still");
    }

    @Test
    void pausedListenerHoldsConnectionsUntilItIsResumed() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(SHARDS));
        AtomicInteger handlers = new AtomicInteger();
        Listener listener = reactor.listener(ListenOptions.DEFAULT, () -> {
            handlers.incrementAndGet();
            return ECHO;
        });
        Listener other = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        TestClient standing = client(listener.address()).send("x").expect("x");
        int threads = SHARDS * mode().threads();
        int expected = 1;
        for (int round = 0; round < 3; round++) {
            listener.pause();
            listener.pause();
            assertTrue(listener.isPaused());
            List<TestClient> held = new ArrayList<>();
            for (int i = 0; i <= threads; i++) {
                held.add(client(listener.address()).send("held"));
            }
            standing.send("still").expect("still");
            for (int i = 0; i < LATER_CLIENTS; i++) {
                client(other.address()).send("later").expect("later");
            }
            int early = handlers.get() - expected; // each thread may have been about to accept when the pause began
            assertTrue(early <= threads, early + " connections were served during the pause");
            listener.resume();
            assertFalse(listener.isPaused());
            for (TestClient client : held) {
                client.expect("held");
            }
            expected += held.size();
            assertEquals(expected, handlers.get());
        }
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void otherListenersAcceptWhileOneIsPaused() throws Exception {
        TestReactor reactor = start();
        Listener paused = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        Listener other = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        paused.pause();
        client(paused.address());
        client(other.address()).send("x").expect("x");
        assertEquals(new ListenerCounters(0, 0, 0, 0, 0), paused.counters());
    }

    @Test
    void connectionsThatAPausedListenerHoldsAreServedWhenItIsClosed() throws Exception {
        TestReactor reactor = start();
        Listener listener = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        listener.pause();
        TestClient held = client(listener.address()).send("held");
        listener.close();
        held.expect("held");
        awaitClosed(listener);
        held.send("still").expect("still");
    }

    @Test
    void closeOfTheReactorServesWhatAPausedListenerHolds() throws Exception {
        TestReactor reactor = start();
        Listener listener = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        listener.pause();
        TestClient held = client(listener.address()).send("held");
        Thread closing = new Thread(reactor.reactor()::close);
        closing.start();
        held.expect("held").expectEnd();
        held.close();
        closing.join();
        awaitClosed(listener);
        listener.resume();
        listener.close();
    }

    @Test
    void handlerMayPauseAndCloseItsListener() throws Exception {
        TestReactor reactor = start();
        Listener[] own = new Listener[1];
        own[0] = reactor.listener(ListenOptions.DEFAULT, () -> (connection, data) -> {
            own[0].pause();
            own[0].close();
            connection.write(data);
        });
        TestClient client = client(own[0].address()).send("x").expect("x");
        awaitClosed(own[0]);
        client.send("y").expect("y");
    }

    @Test
    void connectionsAreCountedForEachListener() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(2));
        ListenOptions options = ListenOptions.DEFAULT.withConnectionsMax(1);
        Listener limited = reactor.listener(options, () -> ECHO);
        Listener failing = reactor.listener(ListenOptions.DEFAULT, () -> {
            throw new IllegalStateException("on purpose");
        });
        assertEquals(options.withAcceptMode(mode().accept()), limited.options());
        client(limited.address()).send("x").expect("x");
        connectAndBeReset(limited.address());
        Await.until("it is over the limit", () -> limited.counters().overLimit() == 1);
        closing(SocketChannel.open(failing.address()));
        Await.until("it is refused", () -> failing.counters().refused() == 1);
        assertEquals(new ListenerCounters(2, 0, 1, 0, 0), limited.counters());
        assertEquals(new ListenerCounters(1, 1, 0, 0, 0), failing.counters());
    }

    /** The reset may come before connect returns. */
    private void connectAndBeReset(SocketAddress address) throws IOException {
        SocketChannel channel = closing(SocketChannel.open());
        try {
            channel.connect(address);
        } catch (SocketException early) {
            assertTrue(early.getMessage().contains("reset"), early::toString);
        }
    }

    @Test
    void connectionsAreListedForTheReactorAndForEachListener() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(SHARDS));
        Listener first = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        Listener second = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        assertEquals(List.of(), reactor.reactor().connections());
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(client(first.address()).send("x").expect("x"));
        }
        TestClient other = client(second.address()).send("x").expect("x");
        Recorder outgoing = new Recorder();
        reactor.reactor().connect(second.address(), outgoing).get();
        Await.until("both sides stand", () -> second.connections().size() == 2);
        assertEquals(3, first.connections().size());
        List<Connection> all = reactor.reactor().connections();
        assertEquals(6, all.size());
        assertTrue(all.containsAll(first.connections()));
        assertTrue(all.containsAll(second.connections()));
        assertTrue(all.contains(outgoing.connection()));
        assertThrows(UnsupportedOperationException.class, all::clear);
        clients.get(0).close();
        Await.until("the closed one leaves", () -> first.connections().size() == 2);
        other.send("still").expect("still");
    }

    @Test
    void connectionsThatMatchAreClosed() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(SHARDS));
        Listener first = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        Listener second = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        TestClient closed = client(first.address()).send("x").expect("x");
        TestClient kept = client(first.address()).send("x").expect("x");
        TestClient other = client(second.address()).send("x").expect("x");
        SocketAddress peer = closed.channel().getLocalAddress();
        assertEquals(0, reactor.reactor().closeConnections(connection -> false));
        assertEquals(
                1,
                reactor.reactor()
                        .closeConnections(
                                connection -> connection.remoteAddress().equals(peer)));
        closed.expectEnd().close();
        Await.until("it has left", () -> first.connections().size() == 1);
        kept.send("still").expect("still");
        assertEquals(1, first.closeConnections(connection -> true));
        kept.expectEnd().close();
        other.send("still").expect("still");
        client(first.address()).send("new").expect("new");
        assertThrows(NullPointerException.class, () -> first.closeConnections(null));
    }

    @Test
    void handlerMayCloseAllConnections() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(SHARDS));
        SocketAddress address = reactor.listen((connection, data) -> {
            connection.write(data);
            reactor.reactor().closeConnections(each -> true);
        });
        TestClient idle = client(address);
        Await.until("it stands", () -> reactor.reactor().connections().size() == 1);
        client(address).send("x").expectToEnd("x");
        idle.expectEnd();
    }

    @Test
    void acceptorKnowsTheAddressesAndRefusesByThem() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(SHARDS));
        List<SocketAddress> remotes = new CopyOnWriteArrayList<>();
        List<SocketAddress> locals = new CopyOnWriteArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        Listener listener =
                reactor.listener(new InetSocketAddress(InetAddress.getByName("0.0.0.0"), 0), (remote, local) -> {
                    remotes.add(remote);
                    locals.add(local);
                    return asked.getAndIncrement() % 2 == 0 ? ECHO : null;
                });
        SocketAddress address = TestReactor.loopback(((InetSocketAddress) listener.address()).getPort());
        for (int i = 0; i < 2; i++) {
            TestClient served = client(address).send("x").expect("x");
            assertEquals(served.channel().getLocalAddress(), remotes.get(2 * i));
            assertEquals(served.channel().getRemoteAddress(), locals.get(2 * i));
            connectAndBeReset(address);
            int refused = i + 1;
            Await.until("it is refused", () -> listener.counters().refused() == refused);
            served.send("still").expect("still");
        }
        assertEquals(new ListenerCounters(4, 2, 0, 0, 0), listener.counters());
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void refusedConnectionIsResetAndNotCountedAgainstTheLimit() throws Exception {
        TestReactor reactor = start();
        AtomicInteger asked = new AtomicInteger();
        ListenOptions options = ListenOptions.DEFAULT.withConnectionsMax(1).withConnectionsPerPeerMax(1);
        Listener listener = reactor.reactor()
                .listen(
                        TestReactor.loopback(0),
                        options.withAcceptMode(mode().accept()),
                        (remote, local) -> asked.getAndIncrement() < 3 ? null : ECHO);
        for (int i = 0; i < 3; i++) {
            try (SocketChannel channel = SocketChannel.open()) {
                IOException reset = assertThrows(IOException.class, () -> {
                    channel.connect(listener.address()); // the reset may come before connect returns
                    channel.read(ByteBuffer.allocate(1));
                });
                assertTrue(reset.getMessage().contains("reset"), reset::toString);
            }
        }
        client(listener.address()).send("x").expect("x");
        assertEquals(new ListenerCounters(4, 3, 0, 0, 0), listener.counters());
    }

    @Test
    void acceptorThatThrowsRefusesAndIsLogged() throws Exception {
        TestReactor reactor = start();
        AtomicInteger asked = new AtomicInteger();
        Listener listener = reactor.listener(TestReactor.loopback(0), (remote, local) -> {
            if (asked.getAndIncrement() == 0) {
                throw new IllegalStateException("on purpose");
            }
            return ECHO;
        });
        closing(SocketChannel.open(listener.address()));
        Await.until("it is refused", () -> listener.counters().refused() == 1);
        Await.until("it is logged", () -> reactor.failureCount() == 1); // behind the count
        client(listener.address()).send("x").expect("x");
        assertEquals(1, reactor.failureCount());
    }

    /** Both connections wait when the listener is resumed: one edge tells of them. */
    @Test
    void connectionIsAcceptedWhileTheAcceptorOfAnotherWaitsForAReply() throws Exception {
        TestReactor reactor = start();
        assumeTrue(reactor.reactor().pools().size() == 1, "with several shards the acceptor's pool is not known");
        AtomicReference<Reply<String>> awaited = new AtomicReference<>();
        CompletableFuture<String> waited = new CompletableFuture<>();
        Listener listener = reactor.listener(TestReactor.loopback(0), (remote, local) -> {
            Reply<String> reply = reactor.reactor().pools().get(0).newReply();
            if (awaited.compareAndSet(null, reply)) {
                try {
                    waited.complete(reply.await(Await.PATIENCE));
                } catch (ExecutionException | TimeoutException failed) {
                    waited.completeExceptionally(failed);
                }
            } else {
                awaited.get().complete("the other connection");
            }
            return ECHO;
        });
        listener.pause();
        TestClient first = client(listener.address()).send("first");
        TestClient second = client(listener.address()).send("second");
        listener.resume();
        assertEquals("the other connection", waited.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        first.expect("first");
        second.expect("second");
    }

    @Test
    void acceptorAtAUnixSocketIsGivenAnAddressWithoutAName(@TempDir Path directory) throws Exception {
        TestReactor reactor = start();
        List<SocketAddress> remotes = new CopyOnWriteArrayList<>();
        SocketAddress address = UnixDomainSocketAddress.of(directory.resolve("acceptor"));
        reactor.reactor().listen(address, ListenOptions.DEFAULT, (remote, local) -> {
            assertEquals(address, local);
            remotes.add(remote);
            return ECHO;
        });
        client(address).send("x").expect("x");
        assertEquals(List.of(UnixDomainSocketAddress.of("")), remotes);
    }

    @Test
    void copyOfTheEndChangesNothing() throws Exception {
        Listener listener = start().listener(ListenOptions.DEFAULT, () -> ECHO);
        listener.closed().complete(null);
        assertFalse(listener.closed().isDone());
        assertSame(listener.address(), listener.address());
        client(listener.address()).send("x").expect("x");
    }
}
