package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProcessMemoryTest {

    private static final long OWN_PID = ProcessHandle.current().pid();

    /** More than malloc(3) takes from what was freed before, whose pages this process still has (M_MMAP_THRESHOLD in mallopt(3)). */
    private static final int DIRECT_BYTES = 64 << 20;

    private static final int TRIES_MAX = 5;

    private static final int FILES = 64;

    @Test
    void pagesOfFilesAreNotCounted() {
        String smaps = """
                e0000000-f0000000 rw-p 00000000 00:00 0
                Rss:               1024 kB
                Anonymous:         1024 kB
                AnonHugePages:        0 kB
                7f0000000000-7f0000100000 rw-p 00000000 00:00 0 [anon: stack]
                Rss:                 64 kB
                Anonymous:           48 kB
                7f0000200000-7f0000300000 r--p 00000000 08:01 12 /lib/x.so
                Rss:                 64 kB
                Anonymous:            4 kB
                """;
        assertEquals((1_024 + 52) << 10, ProcessMemory.anonymousBytes(smaps));
    }

    @Test
    void memoryIsSeenInThisProcess() throws IOException {
        long before;
        long after;
        int tries = 0;
        do { // memory of earlier tests may be freed at the same time, but not indefinitely
            before = ProcessMemory.privateBytes(OWN_PID);
            ByteBuffer direct = ByteBuffer.allocateDirect(DIRECT_BYTES);
            for (int i = 0; i < DIRECT_BYTES; i += 1_024) {
                direct.put(i, (byte) 1);
            }
            after = ProcessMemory.privateBytes(OWN_PID);
            assertEquals(1, direct.get(0));
            tries++;
        } while (after - before <= DIRECT_BYTES / 2 && tries < TRIES_MAX);
        assertTrue(after - before > DIRECT_BYTES / 2, before + " to " + after);
    }

    /** Expects half of the files, because descriptors of earlier tests may be closed at the same time. */
    @Test
    void openFilesAreDescriptors() throws IOException {
        int before = ProcessMemory.descriptors(OWN_PID);
        List<FileInputStream> files = new ArrayList<>();
        try {
            for (int i = 0; i < FILES; i++) {
                files.add(new FileInputStream("/dev/null"));
            }
            int after = ProcessMemory.descriptors(OWN_PID);
            assertTrue(after - before > FILES / 2, before + " to " + after);
        } finally {
            for (FileInputStream file : files) {
                file.close();
            }
        }
    }
}
