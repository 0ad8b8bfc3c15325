package org.cabrank.handover.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.ReadmeExample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of the page hands its socket to a second process. */
@Timeout(300)
class HandoverEchoServiceTest {
    @TempDir
    private Path directory;

    @Test
    void secondProcessServesThePortOfTheFirstWhichEnds() throws Exception {
        Process first = start();
        Process second = null;
        try {
            String listening = firstLine(first);
            int port = Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
            assertEchoes(port);
            second = start();
            assertEquals(listening, firstLine(second));
            assertTrue(first.waitFor(120, TimeUnit.SECONDS));
            assertEquals(0, first.exitValue());
            assertEchoes(port);
        } finally {
            first.destroyForcibly().waitFor();
            if (second != null) {
                second.destroyForcibly().waitFor();
            }
        }
    }

    private Process start() throws IOException {
        return new ProcessBuilder(ReadmeExample.command(
                        HandoverEchoService.class, directory.resolve("handover").toString(), "0"))
                .redirectError(directory.resolve("log").toFile())
                .start();
    }

    private static String firstLine(Process process) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        return String.valueOf(out.readLine());
    }

    private static void assertEchoes(int port) throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.getOutputStream().write(7);
            assertEquals(7, client.getInputStream().read());
        }
    }
}
