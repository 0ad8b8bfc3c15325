package org.cabrank.bench.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Counts packets that the kernel drops because a CPU's receive queue is full. TCP sends a dropped packet again after 200 ms. */
public final class BacklogDrops {

    private static final Path SOFTNET = Path.of("/proc/net/softnet_stat");
    private static final int DROPPED = 1;
    private static final int HEXADECIMAL = 16;

    private final long before;

    private BacklogDrops(long before) {
        this.before = before;
    }

    public static BacklogDrops fromNow() {
        return new BacklogDrops(now());
    }

    public Optional<String> text() {
        return text(now() - before);
    }

    static Optional<String> text(long dropped) {
        if (dropped <= 0) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                "The kernel dropped %,d %s on this machine meanwhile, because a queue was full: an answer to one comes"
                        + " 200 ms late (sysctl -w net.core.netdev_max_backlog=10000).",
                dropped, dropped == 1 ? "packet" : "packets"));
    }

    private static long now() {
        try {
            return dropped(ProcFiles.text(SOFTNET));
        } catch (IOException | NumberFormatException untold) {
            return 0;
        }
    }

    /** Parses lines of hexadecimal numbers, one for each CPU. */
    static long dropped(String softnet) {
        return softnet.lines()
                .mapToLong(line -> Long.parseLong(line.strip().split("\\s+")[DROPPED], HEXADECIMAL))
                .sum();
    }
}
