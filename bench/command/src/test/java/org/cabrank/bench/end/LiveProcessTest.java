package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.text.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code serve --live} on a terminal, and where there is none. */
@Once
@Timeout(300)
final class LiveProcessTest {
    private static final String ENTER = "\u001b[?1049h";
    private static final String LEAVE = "\u001b[?1049l";
    private static final String CURSOR = "\u001b[?25h";
    private static final String BEGIN_FRAME = "\u001b[?2026h";
    private static final String END_FRAME = "\u001b[?2026l";
    private static final String INTERRUPT = "\u0003";
    private static final String[] ECHO = {"echo", "--listen", "127.0.0.1:0", "--live", "--live-interval", "100ms"};
    private static final Pattern REQUESTS = Pattern.compile("requests in all ([0-9,]+)");

    /** At 0:00, but on a machine that is very busy. */
    private static final Pattern FIRST_LINE = Pattern.compile("live [0-9]+:[0-9]{2}: 0 requests/s, ");

    /** Shell command that prints the terminal's settings after the server; a minus sign before a setting means off. */
    private static final String STATE = "; echo status $?; stty -a";

    private static PseudoTerminal start(String term, int columns, int rows, String kernel, String... more)
            throws IOException {
        return PseudoTerminal.start(term, columns, rows, server(kernel, more) + STATE);
    }

    private static String server(String kernel, String... more) throws IOException {
        String[] arguments = Stream.of(ECHO, more).flatMap(Stream::of).toArray(String[]::new);
        return PseudoTerminal.quoted(ServeProcess.command(kernel, arguments));
    }

    private static int port(String shown) {
        String line = shown.substring(shown.indexOf("listening on ") + "listening on ".length());
        return HostPort.parse(line.substring(0, line.indexOf(' '))).port();
    }

    /** The last frame that is complete, without colours. */
    private static String frame(String shown) {
        int end = shown.lastIndexOf(END_FRAME);
        int begin = end < 0 ? -1 : shown.lastIndexOf(BEGIN_FRAME, end);
        return begin < 0
                ? ""
                : shown.substring(begin + BEGIN_FRAME.length(), end).replaceAll("\u001b\\[[0-9;]*[A-Za-z]", "");
    }

    private static int requests(String frame) {
        Matcher found = REQUESTS.matcher(frame);
        return found.find() ? Integer.parseInt(found.group(1).replace(",", "")) : -1;
    }

    private static boolean hasAll(String frame, String... parts) {
        return Stream.of(parts).allMatch(frame::contains);
    }

    private static void exchange(int port, int requests) throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.setTcpNoDelay(true);
            OutputStream out = client.getOutputStream();
            InputStream in = client.getInputStream();
            for (int i = 0; i < requests; i++) {
                out.write(i);
                assertEquals(i & 0xff, in.read());
            }
        }
    }

    private static void assertRestored(String shown, int status) {
        int left = shown.indexOf(LEAVE);
        assertTrue(left > shown.lastIndexOf(END_FRAME), "a frame after the screen was left: " + shown);
        assertEquals(left, shown.lastIndexOf(LEAVE), "left once");
        assertTrue(shown.indexOf(CURSOR) > shown.lastIndexOf(END_FRAME), "the cursor is there again");
        String after = shown.substring(left);
        assertTrue(after.contains("status " + status), after);
        for (String on : List.of("icanon", "echo", "ixon")) {
            assertTrue(after.matches("(?s).*[ \\n]" + on + "[ \\n\\r].*"), on + " is not on: " + after);
        }
        assertTrue(after.contains("susp = ^Z"), after);
    }

    @Test
    void theDashboardCountsWhatIsServedAndLeavesTheTerminalAsItWas() throws Exception {
        try (PseudoTerminal terminal = start("xterm", 90, 30, null, "--backend", "epoll", "--threads-per-shard", "3")) {
            String before = terminal.awaitShown(shown -> shown.contains(END_FRAME));
            assertTrue(before.indexOf("listening on ") < before.indexOf(ENTER), "said before the screen");
            exchange(port(before), 500);
            // In the first frame with all of them one thread may be on its way from one part to another.
            String frame = frame(terminal.awaitShown(
                    shown -> requests(frame(shown)) == 500 && hasAll(frame(shown), "leader", "follower")));
            assertEquals(30, frame.split("\r\n", -1).length, frame);
            for (String part : List.of("cabrank echo on 127.0.0.1:", "requests/s", "latency      p50 ")) {
                assertTrue(frame.contains(part), part + " is not in " + frame);
            }
            terminal.press("q");
            String shown = terminal.awaitEnd();
            assertRestored(shown, 0);
            String after = shown.substring(shown.indexOf(LEAVE));
            assertTrue(after.contains("ending: "), after);
            assertTrue(after.contains("served 1 connection, 500 requests, "), after);
        }
    }

    /** JNA is the binding of a JDK 17; the first thing that the view needs of the kernel is not among what it binds. */
    @Test
    void aWindowThatBecomesNarrowIsFollowedAndSigtermRestoresTheTerminal() throws Exception {
        String server = server("jna", "--shards", "2", "--threads-per-shard", "1");
        String resizing = "(sleep 0; read resize < \"$FIFO\"; stty cols 40 rows 24 < /dev/tty) & ";
        Path fifo = Files.createTempDirectory("cabrank-live").resolve("resize");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
        try (PseudoTerminal terminal =
                PseudoTerminal.start("xterm", 100, 30, "FIFO='" + fifo + "'; " + resizing + server + STATE)) {
            terminal.awaitShown(shown -> frame(shown).split("\r\n", -1).length == 30);
            Files.writeString(fifo, "now\n");
            String frame = frame(terminal.awaitShown(shown ->
                    frame(shown).split("\r\n", -1).length == 24 && hasAll(frame(shown), "s1", "own loop, waiting")));
            assertTrue(frame.lines().allMatch(line -> line.length() <= 40), frame);
            terminal.running("--live").destroy();
            assertRestored(terminal.awaitEnd(), 0);
        } finally {
            Files.delete(fifo);
            Files.delete(fifo.getParent());
        }
    }

    /** The first ends what takes a minute, the second cuts that short: nothing of the JVM's own runs then. */
    @Test
    void theSecondSignalRestoresTheTerminalToo() throws Exception {
        try (PseudoTerminal terminal = start(
                "xterm", 80, 24, null, "--slow-permille", "1000", "--slow-time", "60s", "--drain-timeout", "60s")) {
            int port = port(terminal.awaitShown(shown -> shown.contains(END_FRAME)));
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.getOutputStream().write(1);
                terminal.awaitShown(shown -> requests(frame(shown)) == 1);
                terminal.press(INTERRUPT);
                terminal.awaitShown(shown -> frame(shown).contains("ending: "));
                terminal.press(INTERRUPT);
                String shown = terminal.awaitEnd();
                assertRestored(shown, 130);
                assertTrue(shown.contains("ended at once"), shown);
            }
        }
    }

    @Test
    void aDumbTerminalGetsLinesAndNoEscapes() throws Exception {
        try (PseudoTerminal terminal = start("dumb", 80, 24, null)) {
            String shown = terminal.awaitShown(all -> FIRST_LINE.matcher(all).find());
            assertTrue(shown.matches("(?s).*listening on .*" + FIRST_LINE + ".*"), shown);
            terminal.press(INTERRUPT);
            String all = terminal.awaitEnd();
            assertFalse(all.contains("\u001b"), all);
            assertTrue(all.contains("status 0"), all);
        }
    }

    @Test
    void aPipeGetsLinesOnStandardErrorAndTotalsAtTheEnd() throws Exception {
        try (ServeProcess server = ServeProcess.start(null, ECHO)) {
            int port = server.address().port();
            server.awaitError("live "); // the first reading, from which latencies are reported, has been taken now
            exchange(port, 7);
            server.awaitError("max ");
            server.terminate();
            assertEquals(0, server.exitStatus());
            assertTrue(server.errors().lines().allMatch(line -> line.startsWith("live ")), server.errors());
            assertTrue(server.totals().startsWith("served 1 connection, 7 requests, "), server.totals());
        }
    }
}
