package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.cabrank.bench.Once;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A foreign client against every way a connection can be dispatched. Over one binding on each JVM: that bytes come right over
 * the others is shown by {@link PoolModesTest}, and what HTTP makes of bytes does not depend on who called the kernel.
 */
@Once
@Timeout(60)
final class HttpModesTest {

    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#dispatchingByPreferredKernel")
    void wrkGetsAnAnswerToEveryRequest(PoolMode mode) throws Exception {
        assumeTrue(onPath("wrk"), "wrk is not on the PATH: on Debian, apt-get install wrk");
        try (ServeProcess server = mode.serve("http")) {
            Process wrk = new ProcessBuilder("wrk", "-t1", "-c12", "-d1s", "http://" + server.address() + "/")
                    .redirectErrorStream(true)
                    .start();
            String report = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, wrk.waitFor(), report);
            assertTrue(report.matches("(?s).*\\n\\s*[1-9]\\d* requests in .*"), report);
            assertTrue(!report.contains("Socket errors") && !report.contains("Non-2xx"), report);
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }

    private static boolean onPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> new File(directory, program).canExecute());
    }
}
