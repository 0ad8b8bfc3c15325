package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.Backend;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests on files are carried out by the executor that the user gives. */
@Timeout(300)
class FileExecutorTest {
    private static final String NAME = "fileexec";

    @TempDir
    Path dir;

    private static StreamReactor start(Executor executor) throws Exception {
        return StreamReactor.builder()
                .name(NAME)
                .backend(Backend.of(new EpollBackendProvider()))
                .fileExecutor(executor)
                .start();
    }

    private static SocketAddress listen(StreamReactor reactor, ConnectionHandler handler) throws Exception {
        return reactor.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        ListenOptions.DEFAULT,
                        () -> handler)
                .address();
    }

    /** Answers with the content of the file, or with {@code rejected}. */
    private static ConnectionHandler reading(ReactorFile file) {
        return (connection, data) -> {
            data.position(data.limit());
            ByteBuffer into = ByteBuffer.allocateDirect(3);
            try {
                file.read(connection, into, 0, (reader, count) -> reader.write(into.flip()));
            } catch (RejectedExecutionException rejected) {
                connection.write(Recorder.bytes("rejected"));
            }
        };
    }

    private Path content() throws Exception {
        return Files.writeString(dir.resolve("file"), "abc");
    }

    private static boolean hasThreadsOfItsOwn() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith(NAME + "-files-"));
    }

    @Test
    void requestsRunOnItAndTheReactorNeitherStartsThreadsNorShutsItDown() throws Exception {
        List<String> ranOn = new CopyOnWriteArrayList<>();
        ExecutorService threads = Executors.newSingleThreadExecutor(task -> new Thread(task, "given"));
        try {
            Executor noting = task -> threads.execute(() -> {
                ranOn.add(Thread.currentThread().getName());
                task.run();
            });
            try (StreamReactor reactor = start(noting);
                    ReactorFile file = reactor.openFile(content());
                    TestClient client = TestClient.connect(listen(reactor, reading(file)))) {
                client.send("x").expect("abc").send("x").expect("abc");
                assertFalse(hasThreadsOfItsOwn());
            }
            assertEquals(List.of("given", "given"), ranOn);
            assertFalse(threads.isShutdown());
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void rejectionIsThrownToTheCallbackAndLeavesNothingUnderWay() throws Exception {
        boolean[] full = {true};
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Executor choosy = task -> {
                if (full[0]) {
                    full[0] = false;
                    throw new RejectedExecutionException("full");
                }
                threads.execute(task);
            };
            try (StreamReactor reactor = start(choosy);
                    ReactorFile file = reactor.openFile(content());
                    TestClient client = TestClient.connect(listen(reactor, reading(file)))) {
                client.send("x").expect("rejected").send("x").expect("abc");
            }
        } finally {
            threads.shutdown();
        }
    }

    /** The request ends before the callback that has made it. */
    @Test
    void executorThatRunsTasksInTheCallingThreadServesAsWell() throws Exception {
        try (StreamReactor reactor = start(Runnable::run);
                ReactorFile file = reactor.openFile(content());
                TestClient client = TestClient.connect(listen(reactor, reading(file)))) {
            client.send("x").expect("abc").send("x").expect("abc");
        }
    }

    @Test
    void reactorHasThreadsOfItsOwnUnlessOneIsGiven() throws Exception {
        assertThrows(NullPointerException.class, () -> StreamReactor.builder().fileExecutor(null));
        try (StreamReactor reactor = StreamReactor.builder()
                        .name(NAME)
                        .backend(Backend.of(new EpollBackendProvider()))
                        .start();
                ReactorFile file = reactor.openFile(content());
                TestClient client = TestClient.connect(listen(reactor, reading(file)))) {
            client.send("x").expect("abc");
            assertTrue(hasThreadsOfItsOwn());
        }
    }
}
