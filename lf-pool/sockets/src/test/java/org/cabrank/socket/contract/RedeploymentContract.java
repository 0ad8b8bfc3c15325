package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.stream.contract.Modes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A service that was closed leaves nothing that keeps its class loader in memory. JNA does: its native library holds references to the
 * bound methods until they are unregistered, which would take them from every other reactor of the process; and the thread "JNA Cleaner"
 * runs while a library is open.
 */
@Tag("newest")
@Timeout(300)
public abstract class RedeploymentContract {
    private static final int SEVERAL = 3;

    protected abstract String backend();

    /** Returns true if the backend serves several threads for each shard. */
    protected boolean servesSeveralThreads() {
        return true;
    }

    private void assertCollected(String... options) throws Exception {
        TestKernel kernel = TestKernel.anyTestKernel();
        assumeTrue(kernel.name().equals("panama"), "JNA keeps the class loader that has loaded it");
        List<String> all = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Dredeployed.backend=" + backend(),
                "-Dredeployed.threads=" + (servesSeveralThreads() ? SEVERAL : 1)));
        all.addAll(List.of(options));
        try (ChildJvm child = new ChildJvm(kernel, List.of(), all, Redeployment.class)) {
            assertEquals("collected", child.line());
        }
    }

    @Test
    void classLoaderOfAClosedServiceIsCollected() throws Exception {
        assertCollected();
    }

    /** The listener of recordings does not depend on the backend: outside a soak one of them is enough. */
    @Test
    void classLoaderIsCollectedDuringAFlightRecording() throws Exception {
        assumeTrue(Modes.isSoak() || servesSeveralThreads(), "runs over the other backend, and in a soak");
        assertCollected("-XX:StartFlightRecording:dumponexit=false", "-Xlog:disable");
    }
}
