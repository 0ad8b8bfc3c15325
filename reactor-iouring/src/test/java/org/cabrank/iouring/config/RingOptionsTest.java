package org.cabrank.iouring.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
        refused(
                () -> DEFAULT.withCompletionsAtStart(512),
                "completionsAtStart must be 0, or from 1024 to 16384, but is 512");
        refused(
                () -> DEFAULT.withCompletionsAtStart(16_385),
                "completionsAtStart must be 0, or from 1024 to 16384, but is 16385");
        refused(() -> DEFAULT.withReceiveBuffers(0, 64), "receiveBuffers must be from 1 to 32768, but is 0");
        refused(() -> DEFAULT.withReceiveBuffers(12, 64), "receiveBuffers must be a power of two, but is 12");
        refused(
                () -> DEFAULT.withReceiveBuffers(8, 63),
                "receiveBufferBytes must be from 64 to 1048576 bytes, but is 63");
        refused(
                () -> DEFAULT.withReceiveBuffers(32_768, 1 << 20),
                "receiveBuffers * receiveBufferBytes must be at most 1 GiB, but is 34359738368 bytes");
        refused(() -> DEFAULT.withZeroCopyBytes(0), "zeroCopyBytes must be from 1 to 2147483647 bytes, but is 0");
        refused(
                () -> DEFAULT.withSqPoll(Duration.ofNanos(1), -1),
                "sqPollIdle must be zero, or from PT0.001S to PT1H, but is PT0.000000001S");
        refused(
                () -> DEFAULT.withSqPoll(Duration.ofMillis(1), -2),
                "sqPollCpu must be a CPU's number or -1 for any, but is -2");
        refused(
                () -> DEFAULT.withNapiBusyPoll(Duration.ofSeconds(2)),
                "napiBusyPoll must be zero, or from PT0.000001S to PT1S, but is PT2S");
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
                () -> DEFAULT.withSqPoll(Duration.ZERO, 1),
                "sqPollCpu is 1, but without a sqPollIdle there is no thread that could stay there");
        refused(
                () -> DEFAULT.withBatch(2, Duration.ZERO),
                "a batch of more than 1 and a batchWait go together, but they are 2 and PT0S");
        refused(
                () -> DEFAULT.withBatch(1, Duration.ofMillis(1)),
                "a batch of more than 1 and a batchWait go together, but they are 1 and PT0.001S");
        refused(
                () -> DEFAULT.withCompletionsAtStart(1_024).withSqPoll(Duration.ofMillis(1), -1),
                "completionsAtStart and a sqPollIdle exclude each other: the kernel does not resize the ring of its"
                        + " thread");
        refused(
                () -> DEFAULT.withSqPollShared(true),
                "sqPollShared needs a sqPollIdle: without one there is no thread to share");
        refused(
                () -> DEFAULT.withNapiPrefer(true),
                "napiPrefer needs a napiBusyPoll: without one no thread looks at the devices");
        refused(
                () -> DEFAULT.withNapiStatic(true),
                "napiStatic needs a napiBusyPoll: without one no thread looks at the devices");
    }

    @Test
    void eachOptionChangesItselfAndNothingElse() {
        RingOptions all = DEFAULT.withEntries(8, 32)
                .withReceiveBuffers(4, 128)
                .withIncremental(true)
                .withBundles(false)
                .withRegisteredFiles(true)
                .withZeroCopyBytes(5_000)
                .withSqPoll(Duration.ofMillis(3), 1)
                .withSqPollShared(true)
                .withNapiBusyPoll(Duration.ofNanos(40_000))
                .withNapiPrefer(true)
                .withNapiStatic(true)
                .withBatch(6, Duration.ofNanos(70_000))
                .withIoWait(true)
                .withWorkersMax(9, 11)
                .withRestricted(true)
                .withDatagramBuffers(16);
        assertEquals(
                new RingOptions(
                        8,
                        32,
                        0,
                        4,
                        128,
                        true,
                        false,
                        true,
                        5_000,
                        Duration.ofMillis(3),
                        1,
                        true,
                        Duration.ofNanos(40_000),
                        true,
                        true,
                        6,
                        Duration.ofNanos(70_000),
                        true,
                        9,
                        11,
                        true,
                        16),
                all);
        assertEquals(8, DEFAULT.withEntries(8, 32).withCompletionsAtStart(8).completionsAtStart());
        assertTrue(all.sqPoll() && all.zeroCopy());
        assertFalse(DEFAULT.sqPoll() || DEFAULT.zeroCopy());
    }
}
