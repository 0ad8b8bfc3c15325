package org.cabrank.epoll.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.epoll.TestKernel;
import org.cabrank.kernel.Inotify;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's queue really runs over. */
@Timeout(60)
class InotifyOverflowTest {
    @TempDir
    Path dir;

    @Test
    void queueThatRunsOverIsTold() throws Exception {
        int queuedMax = setting(Path.of("/proc/sys/fs/inotify/max_queued_events"));
        CompletableFuture<Long> overflow = new CompletableFuture<>();
        AtomicInteger events = new AtomicInteger();
        EpollHandleSet set = new EpollHandleSet(TestKernel.any(), Deactivation.CLAIM);
        InotifySource source = InotifySource.open(set, own -> overflow.complete(own.overflows()));
        source.watch(dir, Inotify.IN_OPEN | Inotify.IN_CLOSE_NOWRITE, (watch, event) -> events.incrementAndGet());
        Path file = Files.createFile(dir.resolve("file"));
        for (int i = 0; i <= queuedMax / 2; i++) {
            Files.readString(file); // opened and closed: two events that cannot be merged
        }
        try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("overflow", 2))) {
            pool.start();
            assertEquals(1, overflow.get());
            assertEquals(queuedMax, events.get());
        }
        set.close();
    }

    /** By one read: the kernel gives such a number at its beginning only, and Files.readString asks for one byte first. */
    private static int setting(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            return Integer.parseInt(reader.readLine());
        }
    }
}
