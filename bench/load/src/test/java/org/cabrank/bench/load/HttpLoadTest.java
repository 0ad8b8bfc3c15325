package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.fixture.PlayedServer;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GETs to servers that answer right and wrong, and that mark slow answers. */
@Once
@Timeout(300)
final class HttpLoadTest {

    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n";
    private static final HttpGet GET = new HttpGet("bench", HEAD.length() + Plaintext.BODY.length());
    private static final int REQUEST_BYTES = HttpGet.request("bench").length;
    private static final long PATIENCE_NS = 20_000_000_000L;
    private static final long RUN_NS = 50_000_000L;
    private static final long SLOW_NS = 4_000_000L;

    private String firstWrongAnswer;

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void rightAnswersAreCountedAndTimed(int depth) throws Exception {
        LoadResult result = run(depth, (client, number) -> answer(client, request -> HEAD + Plaintext.BODY));
        assertEquals(Map.of(), result.errors());
        assertNull(firstWrongAnswer);
        assertTrue(result.answers() > 0);
        assertEquals(result.answers() * GET.answerBytes(), result.bytes());
        assertEquals(result.latencies().getTotalCount(), result.fastLatencies().getTotalCount());
    }

    @Test
    void latenciesOfFastRequestsAreDistinguishedFromThoseOfAll() throws Exception {
        LoadResult result = run(
                1,
                (client, number) -> answer(client, request -> {
                    if (request % 4 != 0) {
                        return HEAD + Plaintext.BODY;
                    }
                    LockSupport.parkNanos(SLOW_NS);
                    return HEAD + Plaintext.SLOW_BODY;
                }));
        assertEquals(Map.of(), result.errors());
        long all = result.latencies().getTotalCount();
        long fast = result.fastLatencies().getTotalCount();
        assertTrue(fast > 0 && fast < all, fast + " of " + all);
        assertTrue(Math.abs(all - fast - all / 4) <= 2, fast + " of " + all); // two connections
        assertTrue(
                result.latencies().getMaxValue() > SLOW_NS * 0.99,
                result.latencies().getMaxValue() + " ns");
        assertTrue(result.fastLatencies().getValueAtPercentile(50)
                < result.latencies().getValueAtPercentile(99));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 500 No\r\nContent-Length: 13\r\n\r\nHello, World!",
                "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nHello, Earth!"
            })
    void wrongAnswersAreErrors(String wrong) throws Exception {
        LoadResult result = run(1, (client, number) -> answer(client, request -> wrong));
        assertEquals(Set.of("wrong answer"), result.errors().keySet());
        assertTrue(firstWrongAnswer.contains("request 1, byte "), firstWrongAnswer);
    }

    @Test
    void anAnswerTwiceIsAnError() throws Exception {
        LoadResult result = run(1, (client, number) -> answer(client, request -> (HEAD + Plaintext.BODY).repeat(2)));
        assertEquals(Set.of(LoadConnection.MORE_THAN_SENT), result.errors().keySet());
    }

    @Test
    void getsGoWithPingPongAlone() {
        LoadTraffic streaming = LoadTraffic.streaming(1, 64, 1);
        assertThrows(IllegalArgumentException.class, () -> streaming.withHttp(GET));
        assertThrows(IllegalArgumentException.class, () -> new HttpGet("bench", 13));
    }

    private interface Answers {
        String to(int request);
    }

    /** Answers each whole request. */
    private static void answer(Socket client, Answers answers) throws IOException {
        InputStream in = client.getInputStream();
        for (int request = 1; in.readNBytes(REQUEST_BYTES).length == REQUEST_BYTES; request++) {
            client.getOutputStream().write(answers.to(request).getBytes(StandardCharsets.US_ASCII));
        }
    }

    private LoadResult run(int depth, PlayedServer.Part part) throws Exception {
        LoadTraffic traffic = LoadTraffic.pingPong(2, 1).withDepth(depth).withHttp(GET);
        try (PlayedServer server = new PlayedServer(part)) {
            LoadSettings settings = new LoadSettings(server.address(), traffic, 1, PATIENCE_NS, null);
            LoadGenerator generator = LoadGenerator.start(Kernels.system(), settings, () -> {});
            generator.awaitConnected();
            boolean goesOn;
            long before = generator.beginMeasuring();
            long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            do {
                goesOn = generator.run(RUN_NS);
            } while (goesOn && generator.endMeasuring() - before < 20 && System.nanoTime() - untilNs < 0);
            generator.endMeasuring();
            LoadResult result = generator.finish();
            firstWrongAnswer = generator.firstWrongAnswer();
            return result;
        }
    }
}
