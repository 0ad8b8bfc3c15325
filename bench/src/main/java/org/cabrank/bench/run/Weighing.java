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
        bytesBefore = server.memoryBytes();
    }

    @Override
    public Double whileConnected() throws ChildFailedException, IOException, InterruptedException {
        return (double) (server.memoryBytes() - bytesBefore) / connections;
    }
}
