package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class QuickStartTest {

    /** A JVM that must have the cache refuses to start without a cache that fits. */
    @Test
    void theCacheFitsTheProcessesOfTheTests() throws Exception {
        assumeTrue(Runtime.version().feature() >= QuickStart.CACHE_SINCE, "this JDK has no cache of linked classes");
        List<String> command = JavaCommand.cabrank("-XX:AOTMode=on");
        command.add("--version");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }
}
