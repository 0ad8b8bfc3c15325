package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;

/** Servers where io_uring is refused: what they choose, and what they say. */
final class Fallback {
    private static final String ANY_PORT = "127.0.0.1:0";
    private static final String REASON = "io_uring: ";

    /** The line of the log that tells of another choice. */
    private static final String CHOSEN = "backend: epoll. Reason: ";

    private Fallback() {}

    /**
     * Asserts that a server started by {@code changed} falls back to epoll if the choice is left to it, and logs a reason
     * that contains all {@code words}; and that it does not start if io_uring is requested by name, with the same reason.
     */
    static void assertFallsBack(List<String> changed, String... words) throws Exception {
        String reason = reasonOfChoice(changed);
        for (String each : words) {
            assertTrue(reason.contains(each), reason + "\n does not contain: " + each);
        }
        String refusal = refusalByName(changed);
        assertTrue(refusal.endsWith(reason), refusal + "\n does not end with: " + reason);
    }

    /** Lets a server choose: it serves over epoll; what its one line of log gives as the reason. */
    private static String reasonOfChoice(List<String> changed) throws Exception {
        try (ServeProcess server = ServeProcess.startUnder(
                changed,
                null,
                "echo",
                "--listen",
                ANY_PORT,
                "--backend",
                "auto",
                "--threads-per-shard", // for one thread auto tries io_uring first
                "1")) {
            try (Socket client = new Socket(
                    InetAddress.getLoopbackAddress(), server.address().port())) {
                client.getOutputStream().write('x');
                assertEquals('x', client.getInputStream().read());
            }
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
            List<String> said = server.errors().lines().toList();
            assertEquals(1, said.size(), () -> "one line, not:\n" + String.join("\n", said));
            String line = said.get(0);
            assertTrue(line.contains(CHOSEN + REASON), line);
            return line.substring(line.indexOf(REASON));
        }
    }

    /** Starts a server over io_uring by name: the one line by which it refuses; empty when it serves. */
    static String refusalByName(List<String> changed) throws Exception {
        try (ServeProcess server =
                ServeProcess.startUnder(changed, null, "echo", "--listen", ANY_PORT, "--backend", "iouring")) {
            try {
                server.address();
                return "";
            } catch (IOException refused) {
                assertEquals(1, server.exitStatus(), server::errorsOrWhyNot);
                List<String> said = server.errors().lines().toList();
                assertEquals(1, said.size(), () -> "one line, not:\n" + String.join("\n", said));
                return said.get(0);
            }
        }
    }
}
