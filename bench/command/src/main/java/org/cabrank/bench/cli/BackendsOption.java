package org.cabrank.bench.cli;

import java.util.Iterator;
import java.util.List;
import org.cabrank.stream.BackendProvider;
import picocli.CommandLine.Option;

/** Backends that an experiment measures. */
final class BackendsOption {
    @Option(
            names = "--backend",
            paramLabel = "NAME",
            split = ",",
            completionCandidates = Names.class,
            description = "${COMPLETION-CANDIDATES} (default: all).")
    private List<String> backends = installed();

    /** The names of the installed backends, for the help text. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return installed().iterator();
        }
    }

    private static List<String> installed() {
        return BackendProvider.installed().stream()
                .map(BackendProvider::name)
                .sorted()
                .toList();
    }

    /** @throws IllegalArgumentException if one does not exist; the message names it */
    List<String> backends() {
        List<String> installed = installed();
        for (String backend : backends) {
            if (!installed.contains(backend)) {
                throw new IllegalArgumentException(
                        "there is no backend '" + backend + "': there are " + String.join(", ", installed));
            }
        }
        return backends;
    }
}
