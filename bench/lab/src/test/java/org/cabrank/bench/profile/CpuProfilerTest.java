package org.cabrank.bench.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Once
@Timeout(300)
final class CpuProfilerTest {

    /** Enough for some samples on a busy machine. */
    private static final long WORK_NS = 100_000_000;

    @TempDir
    Path directory;

    @Test
    void stacksOfThisProcessAreWrittenWithoutAnyPermission() throws Exception {
        Path file = directory.resolve("stacks");
        assertEquals(CpuProfiler.DONE, CpuProfiler.obey(CpuProfiler.start(CpuProfiler.USER_ONLY)));
        try {
            assertTrue(
                    CpuProfiler.obey(CpuProfiler.start(CpuProfiler.USER_ONLY)).startsWith(CpuProfiler.REFUSED));
            long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < WORK_NS) {
                Thread.onSpinWait();
            }
        } finally {
            assertEquals(CpuProfiler.DONE, CpuProfiler.obey(CpuProfiler.stop(file)));
        }
        CollapsedStacks stacks = CollapsedStacks.parse(Files.readAllLines(file));
        assertTrue(stacks.stacks().total() > 0);
        String frame =
                getClass().getName().replace('.', '/') + ".stacksOfThisProcessAreWrittenWithoutAnyPermission_[j]";
        assertTrue(stacks.stacks().frames().contains(frame), stacks.stacks().frames()::toString);
    }

    @Test
    void anEventThatTheProfilerDoesNotKnowIsRefusedInItsWords() {
        String answer = CpuProfiler.obey(CpuProfiler.start("no-such-event"));
        assertTrue(answer.startsWith(CpuProfiler.REFUSED + "async-profiler: "), answer);
    }

    @Test
    void withoutTheProfilersJarTheAnswerNamesTheRemedy() throws Exception {
        URL classes = CpuProfiler.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader alone = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
            Object answer = alone.loadClass(CpuProfiler.class.getName())
                    .getMethod("obey", String.class)
                    .invoke(null, CpuProfiler.start(CpuProfiler.WITH_KERNEL));
            assertEquals(
                    CpuProfiler.REFUSED
                            + "async-profiler is not on the class path; build with scripts/cabrank, or mvn package",
                    answer);
        }
    }
}
