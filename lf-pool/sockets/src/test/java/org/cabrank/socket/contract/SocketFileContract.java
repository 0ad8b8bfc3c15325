package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a Unix address when a server starts: it is replaced only if no process has the socket. */
public abstract class SocketFileContract extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);
    private static final int SERVERS = 4;
    private static final int ROUNDS = 50;

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve("server");
    }

    private Listener listen(TestReactor reactor) throws IOException {
        return reactor.reactor().listen(UnixDomainSocketAddress.of(file), ListenOptions.DEFAULT, () -> ECHO);
    }

    /** As a process that is killed does. */
    private static void leaveBehind(Path path) throws IOException {
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(path))
                .close();
    }

    private static void awaitClosed(Listener listener) throws Exception {
        listener.closed().get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    private void assertRefused() throws IOException {
        TestReactor reactor = start();
        IOException refused = assertThrows(IOException.class, () -> listen(reactor));
        assertTrue(refused.getMessage().contains("bind: EADDRINUSE"), refused::getMessage);
        assertTrue(
                refused.getMessage().endsWith("; the file exists: remove it if no server uses it any more"),
                refused::getMessage);
    }

    @Test
    void fileThatAKilledServerHasLeftBehindIsReplaced() throws Exception {
        leaveBehind(file);
        Listener listener = listen(start());
        client(listener.address()).send("x").expect("x");
        listener.close();
        awaitClosed(listener);
        assertFalse(Files.exists(file));
    }

    @Test
    void socketOfALiveServerIsLeftAloneAndTheServerSeesNoConnection() throws Exception {
        TestReactor reactor = start();
        Listener listener = listen(reactor);
        assertRefused();
        client(listener.address()).send("x").expect("x");
        assertEquals(1, reactor.reactor().counters().opened());
    }

    @Test
    void socketThatDoesNotListenYetIsLeftAlone() throws Exception {
        try (SocketChannel bound = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            bound.bind(UnixDomainSocketAddress.of(file));
            assertRefused();
            assertTrue(Files.exists(file));
        }
    }

    @Test
    void regularFileIsLeftAlone() throws Exception {
        Files.writeString(file, "mine");
        assertRefused();
        assertEquals("mine", Files.readString(file));
    }

    @Test
    void linkToASocketFileIsLeftAlone() throws Exception {
        Path behind = directory.resolve("behind");
        leaveBehind(behind);
        Files.createSymbolicLink(file, behind);
        assertRefused();
        assertTrue(Files.isSymbolicLink(file));
        assertTrue(Files.exists(behind, LinkOption.NOFOLLOW_LINKS));
    }

    /** An orderly close removes its own file only. */
    @Test
    void fileOfAnotherServerAtTheSamePathStaysWhenTheFormerOneCloses() throws Exception {
        Listener former = listen(start());
        Files.move(file, directory.resolve("moved"));
        Listener next = listen(start());
        former.close();
        awaitClosed(former);
        client(next.address()).send("x").expect("x");
    }

    @Test
    void oneOfTwoServersThatStartTogetherReplacesTheFile() throws Exception {
        List<TestReactor> reactors = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            reactors.add(start());
        }
        ExecutorService threads = Executors.newFixedThreadPool(SERVERS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                leaveBehind(file);
                CyclicBarrier together = new CyclicBarrier(SERVERS);
                List<Future<Listener>> starts = reactors.stream()
                        .map(reactor -> threads.submit(() -> {
                            together.await();
                            try {
                                return listen(reactor);
                            } catch (IOException refused) {
                                return null;
                            }
                        }))
                        .toList();
                List<Listener> started = new ArrayList<>();
                for (Future<Listener> each : starts) {
                    if (each.get() != null) {
                        started.add(each.get());
                    }
                }
                assertEquals(1, started.size(), "servers that listen at one path, in round " + round);
                try (TestClient client = TestClient.connect(started.get(0).address())) {
                    client.send("x").expect("x");
                }
                started.get(0).close();
                awaitClosed(started.get(0));
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
