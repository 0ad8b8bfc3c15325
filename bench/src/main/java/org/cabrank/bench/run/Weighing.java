package org.cabrank.bench.run;

import java.io.IOException;

/** Finds out what the connections of an interval take of a server's memory, idle ones and active ones alike. */
final class Weighing implements Loader.Watch {

    private final ServerProcess server;
    private final int connections;
    private long bytesBefore;

    Weighing(ServerProcess server, int connections) {
        this.server = server;
        this.connections = connections;
    }

    @Override
    public void beforeConnecting() throws ChildFailedException, IOException, InterruptedException {
        bytesBefore = memoryBytes();
    }

    @Override
    public Double whileConnected() throws ChildFailedException, IOException, InterruptedException {
        return (double) (memoryBytes() - bytesBefore) / connections;
    }

    /** What a compiler uses while it compiles is no connection's. */
    private long memoryBytes() throws ChildFailedException, IOException, InterruptedException {
        server.awaitCompilerRest();
        return server.memoryBytes();
    }
}
