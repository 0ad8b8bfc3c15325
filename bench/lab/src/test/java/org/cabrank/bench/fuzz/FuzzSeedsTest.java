package org.cabrank.bench.fuzz;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the fuzz targets on their seeds, on every JVM and without the fuzzer. */
@Timeout(300)
final class FuzzSeedsTest {
    @ParameterizedTest
    @MethodSource("httpSeeds")
    void httpTargetHoldsForTheSeed(Path seed) throws IOException {
        HttpFuzz.fuzzerTestOneInput(Files.readAllBytes(seed));
    }

    @ParameterizedTest
    @MethodSource("httpResponseSeeds")
    void httpResponseTargetHoldsForTheSeed(Path seed) throws IOException {
        HttpResponseFuzz.fuzzerTestOneInput(Files.readAllBytes(seed));
    }

    @ParameterizedTest
    @MethodSource("streamSeeds")
    void streamTargetHoldsForTheSeed(Path seed) throws IOException {
        StreamFuzz.fuzzerTestOneInput(Files.readAllBytes(seed));
    }

    static List<Path> httpSeeds() throws IOException, URISyntaxException {
        return seeds(HttpFuzz.class);
    }

    static List<Path> httpResponseSeeds() throws IOException, URISyntaxException {
        return seeds(HttpResponseFuzz.class);
    }

    static List<Path> streamSeeds() throws IOException, URISyntaxException {
        return seeds(StreamFuzz.class);
    }

    private static List<Path> seeds(Class<?> target) throws IOException, URISyntaxException {
        try (Stream<Path> files = Files.list(FuzzTest.seeds(target))) {
            return files.sorted().toList();
        }
    }
}
