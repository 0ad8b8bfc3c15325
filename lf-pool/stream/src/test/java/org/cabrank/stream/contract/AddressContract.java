package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Addresses at which a reactor can listen, and their sharing by its shards. */
public abstract class AddressContract extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    /** A name in the abstract namespace (unix(7)), in the form that the backend takes. */
    protected abstract SocketAddress abstractAddress(String name);

    private static SocketAddress listen(TestReactor reactor, SocketAddress address) throws IOException {
        return reactor.listen(address, AcceptMode.EXCLUSIVE, () -> ECHO);
    }

    @Test
    void unixListenerServesAndRemovesItsFile(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("server");
        TestReactor reactor = start();
        Recorder recorder = new Recorder(ECHO);
        SocketAddress address = UnixDomainSocketAddress.of(file);
        assertEquals(address, reactor.listen(address, AcceptMode.EXCLUSIVE, () -> recorder));
        TestClient client = client(address).send("x").expect("x");
        assertEquals(address, recorder.connection().localAddress());
        assertInstanceOf(UnixDomainSocketAddress.class, recorder.connection().remoteAddress());
        client.endOutput().expectEnd();
        reactor.close();
        assertFalse(Files.exists(file));
    }

    @Test
    void abstractNameIsServed() throws Exception {
        TestReactor reactor = start();
        SocketAddress address =
                abstractAddress("cabrank-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        assertEquals(address, listen(reactor, address));
        StringBuffer answer = new StringBuffer();
        Recorder caller = new Recorder((connection, data) -> {
            answer.append(Recorder.text(data));
            connection.close();
        });
        Connection connection = reactor.reactor().connect(address, caller).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        connection.write(Recorder.bytes("x"));
        caller.awaitClosed();
        assertEquals("x", answer.toString());
    }

    @Test
    void ipv6IsServed() throws Exception {
        InetAddress loopback = InetAddress.getByName("::1");
        try (ServerSocket probe = new ServerSocket(0, 1, loopback)) {
            assertTrue(probe.isBound());
        } catch (IOException none) {
            assumeTrue(false, "no IPv6 loopback address here: " + none.getMessage());
        }
        TestReactor reactor = start();
        Recorder recorder = new Recorder(ECHO);
        SocketAddress address =
                reactor.listen(new InetSocketAddress(loopback, 0), AcceptMode.EXCLUSIVE, () -> recorder);
        TestClient client = client(address).send("x").expect("x");
        assertEquals(client.channel().getLocalAddress(), recorder.connection().remoteAddress());
        assertEquals(address, recorder.connection().localAddress());
    }

    /** Bound to every address, each connection tells by which one it came. */
    @Test
    void wildcardListenerKnowsTheAddressOfEachConnection() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder(ECHO);
        InetSocketAddress any = (InetSocketAddress)
                reactor.listen(new InetSocketAddress("0.0.0.0", 0), AcceptMode.EXCLUSIVE, () -> recorder);
        InetSocketAddress second = new InetSocketAddress("127.0.0.2", any.getPort());
        client(second).send("x").expect("x");
        assertEquals(second, recorder.connection().localAddress());
    }

    @ParameterizedTest
    @EnumSource(AcceptMode.class)
    void shardsShareAnAddress(AcceptMode mode) throws Exception {
        TestReactor reactor = start(StreamReactor.builder().name("shared").shards(2));
        Set<String> threads = ConcurrentHashMap.newKeySet();
        SocketAddress address = reactor.listen(TestReactor.loopback(0), mode, () -> (connection, data) -> {
            threads.add(Thread.currentThread().getName());
            connection.write(data);
        });
        for (int i = 0; i < 40; i++) {
            client(address).send("x" + i).expect("x" + i).endOutput().expectEnd();
        }
        reactor.awaitClosed(40);
        assertTrue(threads.stream().allMatch(name -> name.matches("shared-s[01]-\\d")), threads::toString);
        if (mode == AcceptMode.REUSEPORT) { // by a hash of the ports: 40 in one shard is out of the question
            assertEquals(
                    2,
                    threads.stream()
                            .map(name -> name.substring(0, "shared-s0".length()))
                            .distinct()
                            .count(),
                    threads::toString);
        }
    }

    @Test
    void unixAddressCannotBeSharedByReuseport(@TempDir Path directory) throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(2));
        SocketAddress address = UnixDomainSocketAddress.of(directory.resolve("server"));
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> reactor.listen(address, AcceptMode.REUSEPORT, () -> ECHO));
        assertTrue(refused.getMessage().contains("EXCLUSIVE"), refused::getMessage);
    }

    @Test
    void socketFileOfASuccessorIsNotRemoved(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("server");
        SocketAddress address = UnixDomainSocketAddress.of(file);
        TestReactor first = start();
        listen(first, address);
        Files.delete(file);
        TestReactor successor = start();
        listen(successor, address);
        first.close();
        client(address).send("x").expect("x").endOutput().expectEnd();
        successor.close();
        assertFalse(Files.exists(file));
    }

    @Test
    void portInUseIsRefusedWithCauseAndRemedy() throws Exception {
        SocketAddress taken = listen(start(), TestReactor.loopback(0));
        TestReactor reactor = start();
        IOException refused = assertThrows(IOException.class, () -> listen(reactor, taken));
        assertTrue(refused.getMessage().contains("EADDRINUSE"), refused::getMessage);
        assertTrue(refused.getMessage().contains("choose another"), refused::getMessage);
        assertEquals(0, reactor.handleCount());
    }

    @Test
    void oneReactorListensInManyPlaces(@TempDir Path directory) throws Exception {
        TestReactor reactor = start();
        SocketAddress first = listen(reactor, TestReactor.loopback(0));
        SocketAddress second = listen(reactor, TestReactor.loopback(0));
        SocketAddress third = listen(reactor, UnixDomainSocketAddress.of(directory.resolve("third")));
        for (SocketAddress address : new SocketAddress[] {first, second, third}) {
            client(address).send("x").expect("x");
        }
    }
}
