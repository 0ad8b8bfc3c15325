package org.cabrank.bench.run;

import java.util.concurrent.TimeUnit;
import org.cabrank.bench.measure.GarbageCollections;
import org.cabrank.bench.measure.ProcessUsage;
import org.cabrank.bench.report.RunRecord.Counts;

/** A server's own figures about an interval. The server is queried before and after the interval, but not during it. */
final class ServerWords {

    private final ServerProcess server;
    private final GarbageCollections before;
    private final long allocatedBefore;
    private long allocatedBytes;
    private Counts counts;

    private ServerWords(ServerProcess server) throws ChildFailedException, InterruptedException {
        this.server = server;
        before = server.collections();
        allocatedBefore = server.allocatedBytes(); // last, so that the bytes of the first answer are not counted
    }

    static ServerWords before(ServerProcess server) throws ChildFailedException, InterruptedException {
        return new ServerWords(server);
    }

    void after() throws ChildFailedException, InterruptedException {
        allocatedBytes = allocatedBefore == ProcessUsage.UNKNOWN
                ? ProcessUsage.UNKNOWN
                : server.allocatedBytes() - allocatedBefore;
        counts = counts(server.collections());
    }

    private Counts counts(GarbageCollections after) {
        if (after == null) {
            return new Counts(null, null);
        }
        GarbageCollections between = after.since(before);
        return new Counts(between.count(), TimeUnit.MILLISECONDS.toNanos(between.pauseMs()));
    }

    long allocatedBytes() {
        return allocatedBytes;
    }

    Counts counts() {
        return counts;
    }
}
