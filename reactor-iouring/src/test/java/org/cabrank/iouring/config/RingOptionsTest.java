package org.cabrank.iouring.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RingOptionsTest {
    private static final RingOptions DEFAULT = RingOptions.DEFAULT;

    private static void refused(Supplier<RingOptions> made, String message) {
        assertEquals(
                message, assertThrows(IllegalArgumentException.class, made::get).getMessage());
    }

    @Test
    void aValueOutOfItsRangeIsNamedWithItsRangeAndUnit() {
        refused(() -> DEFAULT.withEntries(0, 8), "submissionEntries must be from 1 to 32768, but is 0");
        refused(() -> DEFAULT.withEntries(32_769, 65_536), "submissionEntries must be from 1 to 32768, but is 32769");
        refused(() -> DEFAULT.withEntries(16, 8), "completionEntries must be from 16 to 65536, but is 8");
        refused(() -> DEFAULT.withReceiveBuffers(0, 64), "receiveBuffers must be from 1 to 32768, but is 0");
        refused(() -> DEFAULT.withReceiveBuffers(12, 64), "receiveBuffers must be a power of two, but is 12");
        refused(
                () -> DEFAULT.withReceiveBuffers(8, 63),
                "receiveBufferBytes must be from 64 to 1048576 bytes, but is 63");
        refused(
                () -> DEFAULT.withReceiveBuffers(32_768, 1 << 20),
                "receiveBuffers * receiveBufferBytes must be at most 1 GiB, but is 34359738368 bytes");
        refused(() -> DEFAULT.withBatch(0, Duration.ZERO), "batch must be from 1 to 16384, but is 0");
        refused(() -> DEFAULT.withWorkersMax(-1, 0), "boundedWorkersMax must be from 0 to 32768, but is -1");
        refused(() -> DEFAULT.withWorkersMax(0, 32_769), "unboundedWorkersMax must be from 0 to 32768, but is 32769");
        refused(
                () -> DEFAULT.withBatch(2, Duration.ofSeconds(-1)),
                "batchWait must be zero, or from PT0.000001S to PT1S, but is PT-1S");
    }

    @Test
    void valuesThatDoNotGoTogetherAreExplained() {
        refused(
                () -> DEFAULT.withBatch(2, Duration.ZERO),
                "a batch of more than 1 and a batchWait go together, but they are 2 and PT0S");
        refused(
                () -> DEFAULT.withBatch(1, Duration.ofMillis(1)),
                "a batch of more than 1 and a batchWait go together, but they are 1 and PT0.001S");
    }

    @Test
    void eachOptionChangesItselfAndNothingElse() {
        RingOptions all = DEFAULT.withEntries(8, 32)
                .withReceiveBuffers(4, 128)
                .withIncremental(true)
                .withBundles(false)
                .withBatch(6, Duration.ofNanos(70_000))
                .withIoWait(true)
                .withWorkersMax(9, 11)
                .withDatagramBuffers(16);
        assertEquals(new RingOptions(8, 32, 4, 128, true, false, 6, Duration.ofNanos(70_000), true, 9, 11, 16), all);
    }
}
