package org.cabrank.bench.cli;

import java.util.List;
import picocli.CommandLine.Option;

/** Backends that an experiment measures. */
final class BackendsOption {

    private static final List<String> ALL = List.of("epoll", "iouring");

    @Option(names = "--backend", paramLabel = "NAME", split = ",", description = "epoll, iouring (default: both).")
    private List<String> backends = ALL;

    /** @throws IllegalArgumentException if one does not exist; the message names it */
    List<String> backends() {
        for (String backend : backends) {
            if (!ALL.contains(backend)) {
                throw new IllegalArgumentException(
                        "there is no backend '" + backend + "': there are " + String.join(", ", ALL));
            }
        }
        return backends;
    }
}
