package org.cabrank.bench.cli;

import picocli.CommandLine.Option;

/** Flags for the load that a load generator sends. */
final class RequestOptions {

    @Option(names = "--connections", paramLabel = "N", defaultValue = "64", description = "Default ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "64",
            description = "Size of a request and of its answer (default ${DEFAULT-VALUE}).")
    private int size;

    int connections() {
        return connections;
    }

    int sizeBytes() {
        return size;
    }
}
