package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that was closed leaves nothing that keeps its class loader in memory. JNA does: its threads and native library. */
@Tag("newest")
@Timeout(120)
public abstract class RedeploymentContract {
    protected abstract String backend();

    /** Returns true if the backend serves several threads for each shard. */
    protected boolean servesSeveralThreads() {
        return true;
    }

    private void assertCollected(int threads, String... options) throws Exception {
        assumeTrue(threads == 1 || servesSeveralThreads(), "the backend serves one thread for each shard");
        TestKernel kernel = TestKernel.anyTestKernel();
        assumeTrue(kernel.name().equals("panama"), "JNA keeps the class loader that has loaded it");
        List<String> all = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Dredeployed.backend=" + backend(),
                "-Dredeployed.threads=" + threads));
        all.addAll(List.of(options));
        try (ChildJvm child = new ChildJvm(kernel, List.of(), all, Redeployment.class)) {
            assertEquals("collected", child.line());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void classLoaderOfAClosedServiceIsCollected(int threads) throws Exception {
        assertCollected(threads);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void classLoaderIsCollectedDuringAFlightRecording(int threads) throws Exception {
        assertCollected(threads, "-XX:StartFlightRecording:dumponexit=false", "-Xlog:disable");
    }
}
