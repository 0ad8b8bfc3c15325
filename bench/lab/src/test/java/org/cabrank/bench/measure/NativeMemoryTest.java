package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Native memory summaries of JVMs: two complete ones, of a program with 3 MB in a direct buffer, and short ones. */
final class NativeMemoryTest {

    private static final String HEAP = "-   Java Heap (reserved=4096, committed=1024)\n";
    private static final String THREAD = "-      Thread (reserved=9, committed=7)\n";

    /** Thread, Internal, Other, Synchronization, Object Monitors. */
    @Test
    void ofASummaryOfJdk17EverythingCountsThatIsNotTheJvmsOwn() throws Exception {
        assertEquals(720_736 + 196_469 + 3_010_240 + 33_648 + 832, NativeMemory.bytes(summary("native-memory-17.txt")));
    }

    /** Thread, Internal, Other, Synchronization, Object Monitors, separated by lines of another format. */
    @Test
    void ofASummaryOfJdk25EverythingCountsThatIsNotTheJvmsOwn() throws Exception {
        assertEquals(723_568 + 218_992 + 3_034_816 + 81_608 + 600, NativeMemory.bytes(summary("native-memory-25.txt")));
    }

    private static String summary(String name) throws IOException {
        try (InputStream text = NativeMemoryTest.class.getResourceAsStream(name)) {
            return new String(text.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void aCategoryThatNobodyKnowsCounts() throws Exception {
        assertEquals(7 + 5, NativeMemory.bytes(HEAP + THREAD + "-  Of Tomorrow (reserved=6, committed=5)\n"));
    }

    @Test
    void outputThatIsNoSummaryInBytesIsRefusedWithAMessage() {
        assertRefused(
                "says of its native memory: Native memory tracking is not enabled",
                "\n" + "Native memory tracking is not enabled\n");
        assertRefused("nothing", "");
        assertRefused("says of its native memory: -", HEAP);
        assertRefused(
                "cannot be read: -  Other (reserved=2KB, committed=1KB)",
                HEAP + THREAD + "-  Other (reserved=2KB, committed=1KB)\n");
        assertRefused("cannot be read: -  Other", HEAP + THREAD + "-  Other (reserved=2, used=1)\n");
        assertRefused("cannot be read", HEAP + THREAD + THREAD);
        assertRefused("cannot be read", HEAP + THREAD + "-  Other (reserved=2, committed=1234567890123456789)\n");
    }

    private static void assertRefused(String words, String summary) {
        UnweighableException refused =
                assertThrows(UnweighableException.class, () -> NativeMemory.bytes(summary), summary);
        assertTrue(refused.getMessage().contains(words), refused.getMessage());
    }
}
