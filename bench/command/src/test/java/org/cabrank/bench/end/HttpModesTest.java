package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A foreign client against the ways in which a connection can be dispatched, in a soak against all of them. Over one binding on each JVM:
 * that bytes come right over the other binding is shown by {@link PoolModesTest}, and what HTTP makes of bytes does not depend on who
 * called the kernel.
 */
@Once
@Timeout(300)
final class HttpModesTest {

    private static final Pattern NONE = Pattern.compile("\\n\\s*0 requests in ");
    private static final Pattern SOME = Pattern.compile("\\n\\s*[1-9]\\d* requests in ");
    private static final int SECONDS_MAX = 8;

    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#dispatchingByPreferredKernel")
    void wrkGetsAnAnswerToEveryRequest(PoolMode mode) throws Exception {
        assumeTrue(onPath("wrk"), "wrk is not on the PATH: on Debian, apt-get install wrk");
        try (ServeProcess server = mode.serve("http")) {
            String url = "http://" + server.address() + "/";
            String report = wrk(1, url);
            // A busy machine answers nobody for a while.
            for (int seconds = 2; NONE.matcher(report).find() && seconds <= SECONDS_MAX; seconds *= 2) {
                report = wrk(seconds, url);
            }
            assertTrue(SOME.matcher(report).find(), report);
            assertTrue(!report.contains("Socket errors") && !report.contains("Non-2xx"), report);
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }

    private static String wrk(int seconds, String url) throws Exception {
        Process wrk = new ProcessBuilder("wrk", "-t1", "-c12", "-d" + seconds + "s", "--timeout", "30s", url)
                .redirectErrorStream(true)
                .start();
        String report = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, wrk.waitFor(), report);
        return report;
    }

    private static boolean onPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> new File(directory, program).canExecute());
    }
}
