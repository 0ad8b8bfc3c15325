package org.cabrank.systemd.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.ReadmeExample;
import org.cabrank.systemd.NotifySocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of the page works with systemd's own program for socket activation. */
@Timeout(300)
class SystemdEchoServiceTest {
    private static final int EXIT_ON_SIGTERM = 143; // a JVM without a signal handler ends so, after its shutdown hooks

    @TempDir
    private Path directory;

    @Test
    void firstConnectionStartsTheServiceWhichNotifiesAndDrains() throws Exception {
        Path socket = directory.resolve("echo");
        try (NotifySocket manager = NotifySocket.in(directory)) {
            Process service = start(socket, manager);
            try {
                try (SocketChannel client = connected(socket, service)) {
                    client.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII)));
                    ByteBuffer answer = ByteBuffer.allocate(5);
                    while (answer.hasRemaining() && client.read(answer) >= 0) {}
                    assertEquals("hello", new String(answer.array(), StandardCharsets.US_ASCII));
                    assertEquals("READY=1\nSTATUS=serving", manager.next());
                    assertEquals("WATCHDOG=1", manager.next());
                    service.destroy();
                    assertEquals(-1, client.read(ByteBuffer.allocate(1)));
                }
                assertTrue(service.waitFor(120, TimeUnit.SECONDS));
                assertEquals(EXIT_ON_SIGTERM, service.exitValue());
                String stopping = manager.next();
                while (stopping.equals("WATCHDOG=1")) {
                    stopping = manager.next();
                }
                assertEquals("STOPPING=1\nEXTEND_TIMEOUT_USEC=20000000", stopping);
            } finally {
                service.destroyForcibly().waitFor();
            }
        }
    }

    private Process start(Path socket, NotifySocket manager) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "systemd-socket-activate",
                "-E",
                "NOTIFY_SOCKET=" + manager.target(),
                "-E",
                "WATCHDOG_USEC=1000000",
                "-l",
                socket.toString()));
        command.addAll(ReadmeExample.command(SystemdEchoService.class));
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
        } catch (IOException missing) {
            assumeTrue(false, "systemd-socket-activate is not installed");
            throw missing;
        }
    }

    /** The socket is there when the program that waits for a connection is. */
    private static SocketChannel connected(Path socket, Process service) throws Exception {
        while (true) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.connect(UnixDomainSocketAddress.of(socket));
                return channel;
            } catch (IOException notYet) {
                channel.close();
                assertTrue(service.isAlive(), "systemd-socket-activate has ended");
                Thread.onSpinWait();
            }
        }
    }
}
