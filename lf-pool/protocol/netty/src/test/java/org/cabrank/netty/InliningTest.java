package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Methods that must be too long for HotSpot to inline. The JIT compiler inlines at most so many levels of calls: a system call that lies
 * deeper under the pipeline is not compiled into its caller, and each call then allocates.
 */
class InliningTest {
    /** Default of {@code -XX:FreqInlineSize}. */
    private static final int INLINED_BYTES_MAX = 325;

    @ParameterizedTest
    @ValueSource(strings = {"readReady", "doWrite"})
    void methodIsTooLongToBeInlined(String method) throws Exception {
        Path compiled = Path.of(AbstractStreamChannel.class
                .getResource("AbstractStreamChannel.class")
                .toURI());
        StringWriter code = new StringWriter();
        int status = ToolProvider.findFirst("javap")
                .orElseThrow()
                .run(new PrintWriter(code), new PrintWriter(code), "-c", "-p", compiled.toString());
        assertEquals(0, status, code::toString);
        int last = Pattern.compile(" " + method + "\\([^\\n]*\\n +Code:\\n((?: +\\d+:.*\\n)+)")
                .matcher(code.toString())
                .results()
                .map(found -> Pattern.compile("(?m)^ +(\\d+): ")
                        .matcher(found.group(1))
                        .results())
                .flatMap(lines -> lines.map((MatchResult line) -> Integer.parseInt(line.group(1))))
                .max(Integer::compare)
                .orElseThrow();
        assertTrue(last >= INLINED_BYTES_MAX, () -> method + " has " + (last + 1) + " bytes of code");
    }
}
