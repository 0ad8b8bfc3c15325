package org.cabrank.stream;

import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

final class FileOptions {
    private static final Set<OpenOption> ALLOWED = Set.of(
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND,
            StandardOpenOption.CREATE,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.SYNC,
            StandardOpenOption.DSYNC);

    private FileOptions() {}

    static Set<OpenOption> of(OpenOption... options) {
        Set<OpenOption> wanted = new HashSet<>(List.of(options));
        for (OpenOption option : wanted) {
            if (!ALLOWED.contains(option)) {
                throw new UnsupportedOperationException("a file of a reactor is not opened with " + option);
            }
        }
        if (wanted.contains(StandardOpenOption.APPEND)
                && (wanted.contains(StandardOpenOption.READ)
                        || wanted.contains(StandardOpenOption.TRUNCATE_EXISTING))) {
            throw new IllegalArgumentException("APPEND goes with neither READ nor TRUNCATE_EXISTING");
        }
        if (!wanted.contains(StandardOpenOption.APPEND) && !wanted.contains(StandardOpenOption.WRITE)) {
            wanted.add(StandardOpenOption.READ);
        }
        return wanted;
    }
}
