package org.cabrank.bench.run;

import java.util.List;
import java.util.Optional;
import org.cabrank.bench.measure.UnweighableException;

/** Measures the memory of an idle connection as the difference between many and few idle connections. */
final class Weighing implements GeneratedLoad.Watch {

    private static final String TRACKING = "-XX:NativeMemoryTracking=";

    private final ServerProcess server;
    private final int idleConnections;
    private final Weighing fewer;
    private long bytes;
    private String unknownReason;

    Weighing(ServerProcess server, int idleConnections) {
        this(server, idleConnections, null);
    }

    private Weighing(ServerProcess server, int idleConnections, Weighing fewer) {
        this.server = server;
        this.idleConnections = idleConnections;
        this.fewer = fewer;
        unknownReason = fewer == null ? null : fewer.unknownReason;
    }

    /** Returns a measurement of the same server with {@code more} idle connections. Its result is the difference per connection. */
    Weighing andWith(int more) {
        return new Weighing(server, more, this);
    }

    /** Returns no flags if {@code flags} already has the setting. */
    static List<String> flagsBeside(List<String> flags) {
        return flags.stream().anyMatch(flag -> flag.startsWith(TRACKING)) ? List.of() : List.of(TRACKING + "summary");
    }

    @Override
    public Double whileConnected() throws ChildFailedException, InterruptedException {
        try {
            bytes = unknownReason == null ? server.memoryBytes() : 0;
        } catch (UnweighableException notTold) {
            unknownReason = notTold.getMessage();
        }
        return unknownReason == null && fewer != null
                ? (double) (bytes - fewer.bytes) / (idleConnections - fewer.idleConnections)
                : null;
    }

    Optional<String> unknownReason() {
        return Optional.ofNullable(unknownReason);
    }
}
