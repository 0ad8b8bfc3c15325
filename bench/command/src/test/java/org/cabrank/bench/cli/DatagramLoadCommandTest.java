package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.fixture.PlayedDatagrams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cabrank load --udp} against servers that the test plays. */
@Once
@Timeout(300)
final class DatagramLoadCommandTest {
    private static final int TENTH = 10;

    private static CapturedCommand load(int port, String options) {
        List<String> arguments = new ArrayList<>(List.of("load", "--udp", "127.0.0.1:" + port));
        arguments.addAll(List.of(options.split(" ")));
        Map.of("--warmup", "0s", "--duration", "200ms", "--loss-timeout", "1s").forEach((flag, value) -> {
            if (!arguments.contains(flag)) {
                arguments.addAll(List.of(flag, value));
            }
        });
        return CapturedCommand.run(arguments.toArray(String[]::new));
    }

    private static CapturedCommand load(PlayedDatagrams.Part part, String options) throws Exception {
        try (PlayedDatagrams server = new PlayedDatagrams(part)) {
            return load(server.address().getPort(), options);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--size 100 --flows 3 --threads 2",
        "--rate 500 --burst 5 --flows 2",
        "--window 4 --segments",
    })
    void answersAreCountedAndTimed(String options) throws Exception {
        CapturedCommand load = load(PlayedDatagrams::echo, options);
        assertEquals(0, load.status(), load::err);
        assertTrue(load.out().contains(" answers/s, "), load::out);
        assertTrue(load.out().contains("lost 0 (0.000 %), reordered 0, duplicated 0, late 0"), load::out);
        assertTrue(load.out().contains("latency p50 "), load::out);
    }

    @Test
    void theReportIsWrittenAsJson(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("load.json");
        assertEquals(0, load(PlayedDatagrams::echo, "--rate 500 --json " + file).status());
        JsonNode report = new ObjectMapper().readTree(Files.readString(file));
        assertEquals(500, report.at("/traffic/ratePerSecond").asLong());
        assertTrue(report.get("sent").asLong() > 0);
        assertEquals(report.get("sent").asLong(), report.get("received").asLong());
        assertTrue(report.at("/latency/p99Ns").asLong() > 0);
    }

    @Test
    void lossFailsTheRunUnlessItIsAllowed() throws Exception {
        PlayedDatagrams.Part lossy = (socket, datagram, number) -> {
            if (number % TENTH != 0) {
                socket.send(datagram);
            }
        };
        CapturedCommand strict = load(lossy, "--rate 1000 --loss-timeout 100ms");
        assertEquals(1, strict.status());
        assertTrue(strict.err().contains(" datagrams were lost; --loss-max PERCENT allows for loss"), strict::err);
        assertEquals(
                0, load(lossy, "--rate 1000 --loss-timeout 100ms --loss-max 20").status());
    }

    @Test
    void aRefusedPortEndsTheRunAtOnce() throws Exception {
        int free;
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        CapturedCommand load = load(free, "--duration 50s --warmup 50s");
        assertEquals(1, load.status());
        assertTrue(load.err().contains("error: ECONNREFUSED, "), load::err);
        assertTrue(load.err().contains("nothing listens on 127.0.0.1:" + free + " (UDP)"), load::err);
    }

    @Test
    void aSilentServerFailsTheRun() throws Exception {
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            CapturedCommand load = load(silent.getLocalPort(), "--rate 100 --loss-timeout 50ms");
            assertEquals(1, load.status());
            assertTrue(load.out().contains("(100.000 %)"), load::out);
            assertTrue(load.err().contains("error: no answer came: "), load::err);
        }
    }

    @Test
    void changedAnswersFailTheRun() throws Exception {
        CapturedCommand load = load(
                (socket, datagram, number) -> {
                    datagram.getData()[datagram.getLength() - 1] ^= 1;
                    socket.send(datagram);
                },
                "--rate 100 --loss-timeout 50ms");
        assertEquals(1, load.status());
        assertTrue(load.err().contains("error: wrong answer, "), load::err);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --connections 4 | --connections is for connections: leave it out, or leave out --udp
                    --pattern churn | --pattern is for connections
                    --burst 2 | --burst with --udp needs --rate
                    --rate 10 --window 2 | --rate does not wait for answers
                    --window 0 | --window is 0, expected 1 or more
                    --size 23 | size in bytes is 23, expected 24 to 65507
                    --threads 2 | threads is 2, expected 1 to 1
                    --loss-max 101 | --loss-max is 101.0, expected 0 to 100
                    """)
    void wrongFlagsAreRefused(String options, String message) {
        CapturedCommand load = load(9, options);
        assertEquals(2, load.status());
        assertTrue(load.err().contains(message), load::err);
    }

    @Test
    void flagsForDatagramsNeedATarget() {
        CapturedCommand load = CapturedCommand.run("load", "--flows", "2");
        assertEquals(2, load.status());
        assertTrue(load.err().contains("--flows is for --udp: leave it out, or name a target with --udp"), load::err);
    }
}
