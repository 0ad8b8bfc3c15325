package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.fixture.PlayedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code cabrank load} against servers that the test plays. */
@Once
@Timeout(300)
final class LoadCommandTest {

    private static final String NOBODY_ANSWERED = "error: no answer came in the measured interval";
    private static final int LONGEST_MS = 6_400;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --size 100 | requests/s
                    --pattern PING-PONG --depth 16 --idle 5 | requests/s
                    --rate 200 --threads 2 | requests/s
                    --pattern streaming --size 1000 | chunks/s
                    --pattern random-chunks | chunks/s
                    --pattern churn | connections/s
                    --pattern bursts --burst 2 --burst-interval 20ms | requests/s
                    """)
    void everyPatternTellsItsMeasure(String options, String unit) throws Exception {
        assertEquals(0, load(options, PlayedServer::echo), err::toString);
        assertTrue(out.toString().contains(unit), out.toString());
        assertEquals(
                unit.equals("chunks/s") && options.contains("random"),
                !out.toString().contains("latency p50"));
    }

    @Test
    void anAnswerThatIsWrongFailsTheRun() throws Exception {
        int status = load("--pattern churn", (client, number) -> {
            byte[] first = client.getInputStream().readNBytes(1);
            first[0] ^= 1;
            client.getOutputStream().write(first);
            PlayedServer.echo(client, number);
        });
        assertEquals(1, status);
        assertTrue(err.toString().contains("error: wrong answer, 4 times"), err.toString());
        assertTrue(err.toString().contains("the first wrong answer: connection "), err.toString());
    }

    private int run(String... arguments) {
        CommandLine commands = Commands.commandLine(arguments);
        commands.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return commands.execute(arguments);
    }

    private int load(String options, PlayedServer.Part part) throws IOException {
        try (PlayedServer server = new PlayedServer(part)) {
            int status = load(200, server, options);
            // A busy machine answers nobody for a while.
            for (int ms = 1_600; err.toString().contains(NOBODY_ANSWERED) && ms <= LONGEST_MS; ms *= 4) {
                err.getBuffer().setLength(0);
                status = load(ms, server, options);
            }
            return status;
        }
    }

    private int load(int measuredMs, PlayedServer server, String options) throws IOException {
        String line = "load --connections 4 --warmup 0s --timeout 60s --duration " + measuredMs
                + "ms --connect 127.0.0.1:" + server.address().getPort() + " " + options;
        return run(line.split(" "));
    }
}
