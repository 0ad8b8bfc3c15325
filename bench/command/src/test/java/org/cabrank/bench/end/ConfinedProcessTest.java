package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers with few rights, and with little of what a machine has: as in a small container. */
@Timeout(300)
final class ConfinedProcessTest {
    private static final String ANY_PORT = "127.0.0.1:0";
    private static final int PATIENCE_MS = 120_000;

    private static final long MEMORY_BYTES = 256L << 20;
    private static final int FLOOD_CONNECTIONS = 1_200;
    private static final long FLOOD_BYTES = 2 * MEMORY_BYTES;
    private static final int FLOOD_ROUNDS_MAX = 64;
    private static final int SEND_BUFFER_BYTES = 64 << 10;
    private static final int BLOCK_BYTES = 64 << 10;

    private static final int DESCRIPTORS = 64;
    private static final int TOO_FEW_DESCRIPTORS = 12;
    private static final int CLIENTS = 100;

    /** Modules and libraries of a server, where all users can read them. */
    @TempDir
    private static Path installation;

    private static String classPath;

    @TempDir
    private Path directory;

    @BeforeAll
    static void install() throws Exception {
        classPath = Confinement.copiedClassPath(installation);
    }

    private static ServeProcess echo(List<String> confined, String backend, String... more) throws IOException {
        assumeTrue(backend.equals("epoll") || PoolMode.whyNoRing() == null, PoolMode::whyNoRing);
        List<String> arguments = new ArrayList<>(List.of("echo", "--listen", ANY_PORT, "--backend", backend));
        arguments.addAll(List.of(more));
        return ServeProcess.startFrom(classPath, confined, null, arguments.toArray(String[]::new));
    }

    /** Asserts that a client is served, and that the server ends in order and has reported nothing. */
    private static void assertServesInSilence(ServeProcess server, int port) throws Exception {
        try (Socket client = connected(port)) {
            assertEchoes(client, 'a');
            server.terminate();
        }
        assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        assertEquals("", server.errors());
    }

    private static Socket connected(int port) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        client.setSoTimeout(PATIENCE_MS);
        return client;
    }

    private static void assertEchoes(Socket client, int octet) throws IOException {
        client.getOutputStream().write(octet);
        assertEquals(octet, client.getInputStream().read());
    }

    /** Asserts that a server does not start, for a reason that it gives in one line with these words. */
    private static void assertRefused(List<String> confined, String kernel, List<String> words, String... arguments)
            throws Exception {
        try (ServeProcess server = ServeProcess.startFrom(classPath, confined, kernel, arguments)) {
            assertEquals(1, server.exitStatus(), server::errorsOrWhyNot);
            String said = server.errors();
            assertEquals(1, said.lines().count(), said);
            words.forEach(word -> assertTrue(said.contains(word), () -> said + "\n does not contain: " + word));
        }
    }

    @InSoak
    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#backends")
    void ordinaryUserWithoutACapabilityServes(String backend) throws Exception {
        List<String> user = Confinement.ordinaryUser();
        Confinement.assumeWorks(
                user, Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-version");
        try (ServeProcess server = echo(user, backend)) {
            int port = server.address().port();
            assertOrdinary(server);
            assertServesInSilence(server, port);
        }
    }

    private static void assertOrdinary(ServeProcess server) throws IOException {
        String status = Files.readString(Path.of("/proc/" + server.pid() + "/status"));
        assertTrue(status.contains("CapEff:\t0000000000000000"), status);
        assertTrue(!status.contains("Uid:\t0\t"), status);
    }

    @Test
    @NewestJdk
    void rightsThatAnOrdinaryUserLacksAreRefusedWithTheRemedy() throws Exception {
        List<String> user = Confinement.ordinaryUser();
        Confinement.assumeWorks(user);
        assertRefused(
                user,
                null,
                List.of("serve.scheduling=nice:-5", "CAP_SYS_NICE"),
                "echo",
                "--listen",
                ANY_PORT,
                "--set",
                "serve.scheduling=nice:-5");
    }

    /** Panama writes no file. JNA unpacks a library. */
    @InSoak
    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#backends")
    void readOnlyFileSystemDoesNotKeepAServerFromServing(String backend) throws Exception {
        List<String> readOnly =
                Runtime.version().feature() >= JavaCommand.FFM_SINCE ? Confinement.readOnlyRoot() : unpackingTo("exec");
        Confinement.assumeWorks(readOnly);
        Confinement.assertFails(
                readOnly, "touch", directory.resolveSibling("file").toString());
        try (ServeProcess server = echo(readOnly, backend)) {
            assertServesInSilence(server, server.address().port());
        }
    }

    /** All at once, as the containers that scripts/seccomp/README.md describes. */
    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#backends")
    @NewestJdk
    void containerWithAllLimitsServes(String backend) throws Exception {
        Path readable = Files.createDirectory(installation.resolve(backend));
        SeccompProfile profile = SeccompProfile.shipped("cabrank.json").copiedTo(readable);
        try (MemoryCgroup memory = MemoryCgroup.of(MEMORY_BYTES)) {
            List<String> container = new ArrayList<>(memory.command());
            container.addAll(Confinement.descriptors(DESCRIPTORS));
            container.addAll(readOnly());
            container.addAll(Confinement.ordinaryUser());
            container.addAll(profile.command());
            Confinement.assumeWorks(container);
            try (ServeProcess server = echo(container, backend)) {
                int port = server.address().port();
                assertOrdinary(server);
                assertServesInSilence(server, port);
            }
        }
    }

    private List<String> readOnly() {
        return Runtime.version().feature() >= JavaCommand.FFM_SINCE
                ? Confinement.readOnlyRoot()
                : unpackingTo("exec,mode=1777");
    }

    @Test
    @NewestJdk
    void fileThatCannotBeWrittenIsRefusedWithTheRemedy() throws Exception {
        List<String> readOnly = readOnly();
        Confinement.assumeWorks(readOnly);
        assertRefused(
                readOnly,
                null,
                List.of("cannot write /cabrank.pem: name a file in a directory that exists and is writable"),
                "echo",
                "--listen",
                ANY_PORT,
                "--tls",
                "self-signed:/cabrank.pem");
    }

    /** A read-only file system but for the directory of JNA, which is mounted with {@code options}. */
    private List<String> unpackingTo(String options) {
        List<String> command = new ArrayList<>(List.of("env", "XDG_CACHE_HOME=" + directory));
        command.addAll(Confinement.readOnlyRootWith(directory, options));
        return command;
    }

    @Test
    void jnaIsRefusedWithTheRemedyWhereItCannotUnpackItsLibrary() throws Exception {
        List<String> readOnly = Confinement.readOnlyRoot();
        Confinement.assumeWorks(readOnly);
        String[] echo = {"echo", "--listen", ANY_PORT, "--backend", "epoll"};
        assertRefused(
                readOnly, "jna", List.of("no directory for it is writable (", "docker run --tmpfs /tmp:exec"), echo);
        assertRefused(
                unpackingTo("noexec"),
                "jna",
                List.of("the directory is mounted noexec; ", "docker run --tmpfs /tmp:exec"),
                echo);
    }

    /**
     * A client is served while a flood of connections sends data and takes none of the answers, up to what the kernel and
     * the server's limits take. The server pauses or resets these connections; the kernel kills nothing.
     */
    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#backends")
    @NewestJdk
    void floodOfConnectionsIsServedInALittleMemory(String backend) throws Exception {
        try (MemoryCgroup memory = MemoryCgroup.of(MEMORY_BYTES);
                ServeProcess server = echo(memory.command(), backend)) {
            int port = server.address().port();
            try (Socket client = connected(port);
                    Flood flood = new Flood(port)) {
                flood.send();
                assertEchoes(client, 'a');
                assertTrue(flood.sentBytes() > MEMORY_BYTES / 2, () -> "sent only " + flood.sentBytes() + " bytes");
            }
            try (Socket client = connected(port)) {
                assertEchoes(client, 'b');
            }
            assertEquals(0, memory.killed());
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }

    /** Connections that write and never read. */
    private static final class Flood implements AutoCloseable {
        private final List<SocketChannel> channels = new ArrayList<>();
        private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
        private long sentBytes;

        Flood(int port) throws IOException {
            for (int i = 0; i < FLOOD_CONNECTIONS; i++) {
                SocketChannel channel = SocketChannel.open();
                channels.add(channel);
                channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
                channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                channel.configureBlocking(false);
            }
        }

        void send() {
            for (int round = 0; round < FLOOD_ROUNDS_MAX && sentBytes < FLOOD_BYTES; round++) {
                for (SocketChannel channel : channels) {
                    block.clear();
                    try {
                        sentBytes += channel.write(block);
                    } catch (IOException reset) {
                        // as a limit may have it
                    }
                }
            }
        }

        long sentBytes() {
            return sentBytes;
        }

        @Override
        public void close() throws IOException {
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    /**
     * More clients than descriptors: accepting pauses, and standing connections are served. Whenever one of them ends, a waiting
     * connection is accepted. SIGTERM ends the server with exit status 0 while no descriptor is left.
     */
    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#backends")
    @NewestJdk
    void acceptingPausesWhereAServerMayHaveFewDescriptors(String backend) throws Exception {
        List<String> limited = Confinement.descriptors(DESCRIPTORS);
        Confinement.assumeWorks(limited);
        List<Socket> clients = new ArrayList<>();
        try (ServeProcess server = echo(limited, backend, "--set", "serve.drainGrace=0s")) {
            int port = server.address().port();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(connected(port));
            }
            server.awaitError(" pauses until a descriptor is free: ");
            assertEchoes(clients.get(0), 'a');
            assertEchoes(clients.get(1), 'b');
            clients.remove(0).close();
            for (Socket client : clients) {
                client.getOutputStream().write('c');
            }
            // Each in turn is served, once those before it have ended; the kernel has the last ones wait.
            while (clients.size() > CLIENTS / 2) {
                Socket client = clients.remove(0);
                assertEquals('c', client.getInputStream().read(), () -> clients.size() + " clients wait");
                client.close();
            }
            assertEquals('c', clients.get(0).getInputStream().read());
            server.terminate();
            assertEquals(-1, clients.get(0).getInputStream().read());
            close(clients);
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
            assertEquals(1, server.errors().lines().count(), server::errorsOrWhyNot);
        } finally {
            close(clients);
        }
    }

    @Test
    @NewestJdk
    void tooFewDescriptorsForTheJvmAreRefusedWithTheRemedy() throws Exception {
        List<String> limited = Confinement.descriptors(TOO_FEW_DESCRIPTORS);
        Confinement.assumeWorks(limited);
        assertRefused(limited, null, List.of("(EMFILE); raise the limit (ulimit -n "), "echo", "--listen", ANY_PORT);
    }

    private static void close(List<Socket> clients) throws IOException {
        for (Socket client : clients) {
            client.close();
        }
    }
}
