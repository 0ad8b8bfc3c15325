package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.OpenDescriptors;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** After thousands of connections have come and gone, in every way there is, nothing of them is left. */
@Timeout(300) // a tenth of it on a machine that is not busy, at most
@Tag("newest") // on an older JDK in a soak only
class LeakTest extends StreamContract {
    private static final int CONNECTIONS = 4_000;
    private static final int CALLERS = 2;
    private static final int ANSWER = 300_000;

    private ReactorMode mode;

    @Override
    protected ReactorMode mode() {
        return mode;
    }

    static Stream<ReactorMode> modes() {
        return EpollModes.over(TestKernel::any);
    }

    /** Does what the client asks for with its first byte, and remembers the connection weakly. */
    private static final class Obeys implements ConnectionHandler {
        private final Queue<WeakReference<Connection>> seen;

        Obeys(Queue<WeakReference<Connection>> seen) {
            this.seen = seen;
        }

        @Override
        public void opened(Connection connection) {
            seen.add(new WeakReference<>(connection));
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            switch (data.get(data.position())) {
                case 'c' -> connection.close();
                case 'a' -> connection.abort();
                case 'l' -> connection.write(ByteBuffer.allocate(ANSWER));
                case 'u' -> {
                    return; // left unread
                }
                default -> connection.write(data);
            }
            data.position(data.limit());
        }
    }

    private static void call(SocketAddress address, int number) throws Exception {
        TestClient client = TestClient.connect(address);
        switch (number % 8) {
            case 0 -> client.send("echo").expect("echo").endOutput().expectEnd();
            case 1 -> client.send("echo").reset();
            case 2 -> client.send("close").expectEnd();
            case 3 -> client.send("abort").readAndForget();
            case 4 -> client.send("long").read(1);
            case 5 -> client.send("unread");
            case 6 -> client.endOutput();
            default -> client.send("long").reset();
        }
        client.close();
    }

    private static void callAll(SocketAddress address, int from, int to) {
        try {
            for (int number = from; number < to; number++) {
                call(address, number);
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void nothingIsLeftOfThousandsOfConnections(ReactorMode each) throws Exception {
        mode = each;
        try (TestReactor warmUp = TestReactor.start(mode, StreamReactor.builder())) {
            callAll(warmUp.listen(new Obeys(new ConcurrentLinkedQueue<>())), 0, 8); // the JDK's clients keep a socket
        }
        int before = OpenDescriptors.count();
        Queue<WeakReference<Connection>> seen = new ConcurrentLinkedQueue<>();
        TestReactor reactor = start(StreamReactor.builder());
        SocketAddress address = reactor.listen(() -> new Obeys(seen));
        int listening = OpenDescriptors.count();
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int from = i * (CONNECTIONS / CALLERS);
            callers.add(CompletableFuture.runAsync(() -> callAll(address, from, from + CONNECTIONS / CALLERS)));
        }
        for (CompletableFuture<Void> caller : callers) {
            caller.get();
        }
        call(address, 0); // behind the last in the kernel's queue: all before it have been accepted
        int listeners = mode.shards();
        // One that was accepted may not be registered yet, and the thread that closes one gives back its parts in turn.
        Await.until("all descriptors are given back", () -> OpenDescriptors.count() == listening);
        Await.until("all are closed", () -> reactor.streamCount() == listeners && reactor.handleCount() == listeners);
        Await.until("no chunk is in use", () -> reactor.chunksInUse() == 0);
        Await.until(
                "all are counted",
                () -> reactor.reactor().counters().opened()
                        == reactor.reactor().counters().closed());
        assertTrue(
                reactor.reactor().counters().opened() >= CONNECTIONS * 9L / 10, "a reset may come before the accept");
        collected(seen);
        closeWhatWasOpened();
        assertEquals(before, OpenDescriptors.count());
    }

    /** No timer, list or thread holds a connection that is gone; the last few may still be on a pool thread's stack. */
    private static void collected(Queue<WeakReference<Connection>> seen) {
        int few = 8;
        Await.until("closed connections are collected", () -> {
            System.gc();
            return seen.stream().filter(reference -> reference.get() != null).count() <= few;
        });
    }
}
