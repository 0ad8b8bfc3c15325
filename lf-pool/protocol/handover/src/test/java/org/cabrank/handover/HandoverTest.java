package org.cabrank.handover;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both sides of a handover are in one process: sockets and messages are the same. */
@Timeout(300)
class HandoverTest {
    private static final Duration ANSWER = Duration.ofSeconds(120);

    @TempDir
    private Path directory;

    private Path path() {
        return directory.resolve("handover");
    }

    private static StreamServer.Builder echo(String backend) {
        return StreamServer.builder()
                .backend(Backend.named(backend))
                .handler(() -> (connection, data) -> connection.write(data));
    }

    private static StreamServer first() throws IOException {
        return echo("epoll")
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .start();
    }

    private static void assertEchoes(int port) throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.getOutputStream().write(7);
            assertEquals(7, client.getInputStream().read());
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    @Test
    void withoutAProcessAtThePathThereIsNoPredecessor() throws IOException {
        assertNull(Handover.at(path()).predecessor());
    }

    @Test
    void fileThatAProcessHasLeftBehindIsReplaced() throws IOException {
        Kernel kernel = Kernels.system();
        ControlSocket.listening(kernel, path()).close();
        assertTrue(Files.exists(path()));
        assertNull(Handover.at(path()).predecessor());
        try (StreamServer server = first();
                Successors offered = Handover.at(path()).offer(server.listeners(), server::close)) {
            assertNotNull(offered);
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path())));
            try (Predecessor old = Handover.at(path()).predecessor()) {
                assertEquals(
                        "127.0.0.1:" + server.port(), old.listeners().get(0).address());
            }
        }
        assertFalse(Files.exists(path()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void eachSuccessorServesTheSamePortAndTheFormerDrains(String backend) throws Exception {
        StreamServer server = first();
        int port = server.port();
        Handover handover = Handover.at(path());
        Successors offered = handover.offer(server.listeners(), server::close);
        for (int round = 0; round < 5; round++) {
            StreamServer next;
            try (Predecessor old = handover.predecessor()) {
                next = echo(backend).listen(old.takeDescriptors()).start();
                assertEquals(port, next.port());
                assertTrue(old.replace());
            }
            offered = handover.offer(next.listeners(), next::close);
            server.awaitTermination();
            assertEchoes(port);
            server = next;
        }
        offered.close();
        server.close();
        assertThrows(ConnectException.class, () -> assertEchoes(port));
        assertFalse(Files.exists(path()));
    }

    @Test
    void unixSocketKeepsItsFile() throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("echo"));
        StreamServer server = echo("epoll").listen(address).start();
        Handover handover = Handover.at(path());
        handover.offer(server.listeners(), server::close);
        try (Predecessor old = handover.predecessor();
                StreamServer next = echo("epoll").listen(old.takeDescriptors()).start()) {
            assertEquals(address, next.localAddress());
            assertTrue(old.replace());
            server.awaitTermination();
            assertTrue(Files.exists(address.getPath()));
        }
    }

    /** Last step of a new process before it dies. */
    enum Death {
        CONNECTED,
        ASKED,
        HAS_SOCKETS,
        SENT_NONSENSE
    }

    private void die(Death when) throws IOException {
        Kernel kernel = Kernels.system();
        try (ControlSocket socket = ControlSocket.connected(kernel, path(), ANSWER)) {
            if (when == Death.CONNECTED) {
                return;
            }
            socket.send(HandoverMessages.TAKE);
            if (when == Death.ASKED) {
                return;
            }
            ControlSocket.Message message = socket.receive();
            while (!message.text().equals(HandoverMessages.END)) {
                message.close(kernel);
                message = socket.receive();
            }
            if (when == Death.SENT_NONSENSE) {
                socket.send("HELLO");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Death.class)
    void serverWhoseSuccessorDiesContinuesAndNoDescriptorIsLeft(Death when) throws Exception {
        StreamServer server = first();
        int port = server.port();
        try (Successors offered = Handover.at(path()).offer(server.listeners(), () -> server.close())) {
            assertNotNull(offered);
            die(when);
            awaitIdle();
            long before = descriptors();
            for (int i = 0; i < 10; i++) {
                die(when);
                assertEchoes(port);
            }
            while (descriptors() > before) { // the server closes its end a little later
                Thread.onSpinWait();
            }
        }
        server.close();
        assertThrows(ConnectException.class, () -> assertEchoes(port)); // the socket is not shared any more
    }

    /** Returns when all earlier successors were served: they are served one after another, and these two come last. */
    private void awaitIdle() throws IOException {
        try (Predecessor old = Handover.at(path()).predecessor()) {
            assertNotNull(old);
        }
        try (Predecessor old = Handover.at(path()).predecessor()) {
            assertNotNull(old);
        }
    }

    @Test
    void successorOfAServerThatEndsHasItsSockets() throws Exception {
        StreamServer server = first();
        int port = server.port();
        Successors offered = Handover.at(path()).offer(server.listeners(), server::close);
        try (Predecessor old = Handover.at(path()).predecessor();
                StreamServer next = echo("epoll").listen(old.takeDescriptors()).start()) {
            offered.close();
            server.close();
            assertFalse(old.replace());
            assertEquals(port, next.port());
            assertEchoes(port);
        }
    }

    @Test
    void offerOutlastsALackOfDescriptors() throws Exception {
        Kernel real = Kernels.system();
        AtomicInteger refused = new AtomicInteger();
        Kernel exhausted = (Kernel) Proxy.newProxyInstance(
                Kernel.class.getClassLoader(),
                new Class<?>[] {Kernel.class},
                (self, call, arguments) -> call.getName().equals("accept4") && refused.getAndIncrement() < 2
                        ? (Object) (-Errno.EMFILE)
                        : call.invoke(real, arguments));
        try (StreamServer server = first();
                Successors offered = Successors.await(
                        exhausted, path(), () -> Successors.share(real, server.listeners()), server::close);
                Predecessor old = Handover.at(path()).predecessor()) {
            assertNotNull(offered);
            assertNotNull(old);
            assertEquals("127.0.0.1:" + server.port(), old.listeners().get(0).address());
        }
    }

    @Test
    void offerOutlastsALackOfMemory() throws Exception {
        Kernel real = Kernels.system();
        AtomicInteger accepts = new AtomicInteger();
        AtomicBoolean refused = new AtomicBoolean();
        Kernel exhausted = (Kernel) Proxy.newProxyInstance(
                Kernel.class.getClassLoader(), new Class<?>[] {Kernel.class}, (self, call, arguments) -> {
                    if (call.getName().equals("addressOf") && accepts.get() == 1 && !refused.getAndSet(true)) {
                        throw new OutOfMemoryError("thrown on purpose");
                    }
                    Object result = call.invoke(real, arguments);
                    if (call.getName().equals("accept4")) {
                        accepts.incrementAndGet();
                    }
                    return result;
                });
        try (StreamServer server = first();
                Successors offered = Successors.await(
                        exhausted, path(), () -> Successors.share(real, server.listeners()), server::close);
                ControlSocket first = ControlSocket.connected(real, path(), ANSWER)) {
            assertNotNull(offered);
            assertThrows(EOFException.class, first::receive, "the accepted descriptor is closed");
            try (Predecessor old = Handover.at(path()).predecessor()) {
                assertNotNull(old);
                assertEquals(
                        "127.0.0.1:" + server.port(), old.listeners().get(0).address());
            }
        }
    }

    @Test
    void offerOutlastsASuccessorThatThereIsNoMemoryFor() throws Exception {
        AtomicBoolean refused = new AtomicBoolean();
        try (StreamServer server = first();
                Successors offered = Successors.await(
                        Kernels.system(),
                        path(),
                        () -> {
                            if (!refused.getAndSet(true)) {
                                throw new OutOfMemoryError("thrown on purpose");
                            }
                            return Successors.share(Kernels.system(), server.listeners());
                        },
                        server::close);
                ControlSocket first = ControlSocket.connected(Kernels.system(), path(), ANSWER)) {
            assertNotNull(offered);
            first.send(HandoverMessages.TAKE);
            assertThrows(EOFException.class, first::receive);
            try (Predecessor old = Handover.at(path()).predecessor()) {
                assertNotNull(old);
            }
        }
    }

    @Test
    void drainIsRunAlthoughMemoryLacksForTheAnswer() throws Exception {
        Kernel real = Kernels.system();
        AtomicBoolean ready = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        CountDownLatch drained = new CountDownLatch(1);
        Kernel exhausted = (Kernel) Proxy.newProxyInstance(
                Kernel.class.getClassLoader(), new Class<?>[] {Kernel.class}, (self, call, arguments) -> {
                    if (call.getName().equals("sendmsg") && ready.get()) {
                        refused.incrementAndGet();
                        throw new OutOfMemoryError("thrown on purpose");
                    }
                    return call.invoke(real, arguments);
                });
        try (StreamServer server = first();
                Successors offered = Successors.await(
                        exhausted, path(), () -> Successors.share(real, server.listeners()), drained::countDown);
                Predecessor old = Handover.at(path()).predecessor()) {
            assertNotNull(offered);
            ready.set(true);
            assertFalse(old.replace());
            drained.await();
            assertEquals(1, refused.get());
        }
    }

    @Test
    void drainIsRunOnce() throws Exception {
        CountDownLatch drained = new CountDownLatch(2);
        try (StreamServer server = first()) {
            Successors offered = Handover.at(path()).offer(server.listeners(), drained::countDown);
            try (Predecessor old = Handover.at(path()).predecessor()) {
                assertTrue(old.replace());
            }
            while (drained.getCount() == 2) { // by the thread that offers
                Thread.onSpinWait();
            }
            offered.close();
            assertNull(Handover.at(path()).predecessor());
            assertFalse(drained.await(50, TimeUnit.MILLISECONDS));
            assertEquals(1, drained.getCount());
        }
    }

    @Test
    void requestOfAnotherVersionIsRefusedWithTheRemedy() throws Exception {
        try (StreamServer server = first();
                Successors offered = Handover.at(path()).offer(server.listeners(), server::close);
                ControlSocket socket = ControlSocket.connected(Kernels.system(), path(), ANSWER)) {
            assertNotNull(offered);
            socket.send("TAKE 2");
            ControlSocket.Message answer = socket.receive();
            assertArrayEquals(new int[0], answer.descriptors());
            assertEquals(
                    "this process speaks 'TAKE 1'; update it by a full restart",
                    HandoverMessages.reason(answer.text()));
        }
    }

    @Test
    void pathThatCannotBeUsedIsNamed() throws IOException {
        try (StreamServer server = first()) {
            for (Path wrong :
                    List.of(directory.resolve("none").resolve("handover"), directory.resolve("x".repeat(120)))) {
                IOException refused = assertThrows(
                        IOException.class, () -> Handover.at(wrong).offer(server.listeners(), server::close));
                assertTrue(refused.getMessage().contains(wrong.getParent().toString()), refused.getMessage());
            }
        }
    }
}
