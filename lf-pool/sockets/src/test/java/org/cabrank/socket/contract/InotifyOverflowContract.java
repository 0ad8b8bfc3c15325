package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Inotify;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.source.InotifySource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's queue really runs over. */
public abstract class InotifyOverflowContract extends SourceContract {
    @TempDir
    Path dir;

    @Test
    void overflowOfTheQueueIsReported() throws Exception {
        int queuedMax = setting(Path.of("/proc/sys/fs/inotify/max_queued_events"));
        CompletableFuture<Long> overflow = new CompletableFuture<>();
        AtomicInteger events = new AtomicInteger();
        InotifySource source = InotifySource.open(set, own -> overflow.complete(own.overflows()));
        source.watch(dir, Inotify.IN_OPEN | Inotify.IN_CLOSE_NOWRITE, (watch, event) -> events.incrementAndGet());
        Path file = Files.createFile(dir.resolve("file"));
        // An open and a close: two events. The kernel merges some if a forked process holds the file for a moment.
        for (int i = 0; i < queuedMax; i++) {
            Files.readString(file);
        }
        serve();
        assertTrue(
                Await.until(Await.PATIENCE, overflow::isDone),
                () -> "no overflow after " + events + " of at most " + queuedMax + " events");
        assertEquals(1, overflow.get());
        assertEquals(queuedMax, events.get());
    }

    /** By one read: the kernel gives such a number at its beginning only, and Files.readString asks for one byte first. */
    private static int setting(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            return Integer.parseInt(reader.readLine());
        }
    }
}
