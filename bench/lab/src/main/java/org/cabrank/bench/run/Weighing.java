package org.cabrank.bench.run;

import java.util.List;
import java.util.Optional;
import org.cabrank.bench.measure.UnweighableException;

/**
 * Memory of an idle connection, from measurements with many and with few idle connections and the same active ones. The difference excludes
 * memory that the server keeps for many connects at once or for active connections.
 */
final class Weighing implements GeneratedLoad.Watch {

    /** Flag without which a JVM does not track its memory. The flag must be set when the JVM starts. */
    private static final String TRACKING = "-XX:NativeMemoryTracking=";

    private final ServerProcess server;
    private final int idleConnections;
    private final Weighing fewer;
    private long bytes;
    private String unknownReason;

    /** Measures with {@code idleConnections} idle connections, as the base for {@link #andWith}. */
    Weighing(ServerProcess server, int idleConnections) {
        this(server, idleConnections, null);
    }

    private Weighing(ServerProcess server, int idleConnections, Weighing fewer) {
        this.server = server;
        this.idleConnections = idleConnections;
        this.fewer = fewer;
        unknownReason = fewer == null ? null : fewer.unknownReason;
    }

    /** Measures the same server with {@code more} idle connections, relative to this measurement. */
    Weighing andWith(int more) {
        return new Weighing(server, more, this);
    }

    /** Flags in addition to {@code flags}; the user's own setting has precedence. */
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

    /** Returns empty if the memory was measured. */
    Optional<String> unknownReason() {
        return Optional.ofNullable(unknownReason);
    }
}
