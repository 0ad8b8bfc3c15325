package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server recorded with {@code cabrank.jfc}, and its recording read by the commands of the page about it. */
@Timeout(300)
@NewestJdk
final class FlightRecordingProcessTest {
    private static final Path DIRECTORY =
            Path.of("").toAbsolutePath().resolve("../../scripts/observe").normalize();
    private static final Pattern READ = Pattern.compile("^jfr (.* )service\\.jfr$", Pattern.MULTILINE);

    /** First JDK with the subcommand {@code view}. */
    private static final int VIEW_SINCE = 21;

    private static final int REQUESTS = 5;

    @TempDir
    private Path temporary;

    private Path record() throws Exception {
        Path recording = temporary.resolve("service.jfr");
        String flag = "-XX:StartFlightRecording:settings=" + DIRECTORY.resolve("cabrank.jfc")
                + ",slow-handler=30ms,filename=" + recording;
        try (ServeProcess server = ServeProcess.startUnder(
                List.of("env", "JAVA_TOOL_OPTIONS=-Xlog:jfr+startup=error " + flag),
                null,
                "echo",
                "--listen",
                "127.0.0.1:0",
                "--threads-per-shard",
                "3",
                "--slow-permille",
                "1000",
                "--slow-time",
                "40ms")) {
            try (Socket client = new Socket(
                    InetAddress.getLoopbackAddress(), server.address().port())) {
                for (int i = 0; i < REQUESTS; i++) {
                    client.getOutputStream().write(i);
                    assertEquals(i, client.getInputStream().read());
                }
            }
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
        return recording;
    }

    private static String jfr(String arguments, Path recording) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "jfr").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments.trim().split(" ")));
        command.add(recording.toString());
        Process jfr = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(jfr.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, jfr.waitFor(), command + ": " + said);
        return said;
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    void commandsOfThePageShowSlowHandlersTakeoversAndWhatTheHandlersWaitedFor() throws Exception {
        Path recording = record();
        StringBuilder all = new StringBuilder();
        int commands = 0;
        for (String arguments : READ.matcher(Files.readString(DIRECTORY.resolve("README.md")))
                .results()
                .map(found -> found.group(1))
                .toList()) {
            commands++;
            if (!arguments.startsWith("view") || Runtime.version().feature() >= VIEW_SINCE) {
                String said = jfr(arguments, recording);
                assertTrue(said.contains("cabrank"), arguments + ": " + said);
                all.append(said);
            }
        }
        assertEquals(6, commands);
        String settings = jfr("print --events jdk.ActiveSetting", recording);
        assertTrue(settings.contains("30 ms"), "the option is a threshold: " + settings);
        String shown = all.toString();
        assertTrue(count(shown, "org.cabrank.SlowHandler {") >= REQUESTS, shown);
        assertTrue(shown.contains("org.cabrank.Takeover {"), shown);
        assertTrue(shown.contains("jdk.ThreadPark {"), shown);
        assertTrue(shown.contains("SlowRequests."), shown);
    }
}
