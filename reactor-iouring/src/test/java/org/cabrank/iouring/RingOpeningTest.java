package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.cabrank.iouring.OldKernel.Version;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Making a ring of what the kernel has, and leaving nothing behind when it has too little. */
class RingOpeningTest {
    /** Named bound: more calls than it takes to make a ring. */
    private static final int CALLS_MAX = 64;

    /** A missing requirement ends the opening; a missing feature is done without. Both leave nothing behind. */
    @ParameterizedTest
    @EnumSource(names = {"LINUX_6_0", "LINUX_6_12"})
    void whicheverCallFailsNothingIsLeftBehind(Version version) throws IOException {
        Rings.openDisabled(TestKernel.any(), Rings.SMALL).close(); // skips where there is no io_uring
        for (int errno : new int[] {Errno.ENOMEM, Errno.EMFILE, Errno.EPERM, Errno.EINVAL}) {
            int refused = 0;
            boolean more = true;
            for (int nth = 1; more; nth++) {
                assertTrue(nth < CALLS_MAX, "it takes no end of calls");
                AccountingKernel kernel = new OldKernel(TestKernel.any(), version).refuse(nth, errno);
                try (Ring ring = Ring.open(kernel, Rings.SMALL)) {
                    ring.enableHere();
                    Rings.addNop(ring, nth);
                    assertEquals(List.of((long) nth), Rings.userData(Rings.awaitSome(ring)));
                    more = kernel.hasRefused();
                } catch (IOException unavailable) {
                    refused++;
                    assertTrue(kernel.hasRefused(), unavailable.getMessage());
                }
                assertEquals("", kernel.kept(), "after call " + nth + " failed with " + Errno.name(errno));
            }
            assertNotEquals(0, refused, Errno.name(errno));
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"LINUX_6_0", "LINUX_6_1", "LINUX_6_6", "LINUX_6_12"})
    void aKernelOfThisVersionServes(Version version) throws Exception {
        OldKernel kernel = new OldKernel(TestKernel.any(), version);
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            List<Long> more = LongStream.range(0, 40).boxed().toList();
            more.forEach(each -> Rings.addNop(ring, each));
            assertEquals(more, Rings.userData(Rings.await(ring, more.size())));
            for (int i = 0; i < 3; i++) {
                TestThread waking = TestThread.start("waking", () -> assertEquals(0, ring.wake()));
                Completion woken = Rings.awaitSome(ring).get(0);
                assertEquals(Ring.WAKEUP, woken.userData());
                ring.woken(woken.result(), woken.flags());
                waking.join();
            }
        }
        assertEquals("", kernel.kept());
    }

    @Test
    void theRichestSetThatTheKernelTakesIsTaken() throws IOException {
        try (Ring present = Rings.openDisabled(TestKernel.any(), Rings.SMALL)) {
            assumeTrue(present.toString().contains("NO_SQARRAY"), "this kernel is itself older than 6.6");
        }
        assertEquals(
                "CQSIZE CLAMP R_DISABLED SUBMIT_ALL TASKRUN_FLAG SINGLE_ISSUER DEFER_TASKRUN NO_SQARRAY",
                setup(Version.LINUX_6_6));
        assertEquals(
                "CQSIZE CLAMP R_DISABLED SUBMIT_ALL TASKRUN_FLAG SINGLE_ISSUER DEFER_TASKRUN",
                setup(Version.LINUX_6_1));
        assertEquals(
                "CQSIZE CLAMP R_DISABLED SUBMIT_ALL COOP_TASKRUN TASKRUN_FLAG SINGLE_ISSUER", setup(Version.LINUX_6_0));
    }

    private static String setup(Version version) throws IOException {
        try (Ring ring = Rings.open(new OldKernel(TestKernel.any(), version), Rings.SMALL)) {
            String description = ring.features().describe();
            return description.lines().skip(1).findFirst().orElseThrow().substring("setup: ".length());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LINUX_5_4", "LINUX_5_10", "LINUX_5_15", "LINUX_5_19"})
    void missingFeaturesOfAnOlderKernelAreReported(Version version) throws IOException {
        Rings.openDisabled(TestKernel.any(), Rings.SMALL).close();
        String what = switch (version) {
            case LINUX_5_4 -> "none of the flags";
            case LINUX_5_10 -> "time-outs in io_uring_enter (Linux 5.11)";
            case LINUX_5_15 -> "rings of receive buffers (Linux 5.19)";
            default -> "multishot receive (Linux 6.0)";
        };
        OldKernel kernel = new OldKernel(TestKernel.any(), version);
        String message = assertThrows(BackendUnavailableException.class, () -> Ring.open(kernel, Rings.SMALL))
                .getMessage();
        assertTrue(message.contains("too old") && message.contains(what), message);
        assertTrue(message.contains("use Linux 6.0 or later"), message);
        assertEquals("", kernel.kept());
    }

    @Test
    void anOptionThatTheKernelHasNotIsRefusedByName() throws IOException {
        refuses(Version.LINUX_6_6, Rings.SMALL.withIncremental(true), "incremental receive buffers; use Linux 6.12");
        refuses(
                Version.LINUX_6_6,
                Rings.SMALL.withBatch(4, Duration.ofNanos(50_000)),
                "waiting for a batch; use Linux 6.12");
    }

    private static void refuses(Version version, RingOptions options, String words) throws IOException {
        Rings.openDisabled(TestKernel.any(), Rings.SMALL).close();
        OldKernel kernel = new OldKernel(TestKernel.any(), version);
        String message = assertThrows(BackendUnavailableException.class, () -> Ring.open(kernel, options))
                .getMessage();
        assertTrue(message.contains(words), message);
        assertEquals("", kernel.kept());
        Rings.open(TestKernel.any(), options).close();
    }

    @Test
    void missingFeatureIsDescribed() throws IOException {
        try (Ring ring = Rings.open(new OldKernel(TestKernel.any(), Version.LINUX_6_6), Rings.SMALL)) {
            String description = ring.features().describe();
            assertTrue(
                    description.contains(
                            "lacks: bundles (6.10), incremental buffers (6.12), waiting for a batch (6.12),"
                                    + " messages without a ring (6.13), waits that are no iowait (6.15)\n"),
                    description);
            assertTrue(description.contains("wakeup: eventfd"), description);
            assertFalse(ring.features().messageRegister());
        }
    }

    @Test
    void bundlesAreAskedForOnlyWhereTheyLeaveNoGaps() throws IOException {
        Kernel present = TestKernel.any();
        Kernel faulty = new FaultyRings(present).refuseReceiveLimits();
        assertFalse(asksForBundles(new OldKernel(present, Version.LINUX_6_6), RingOptions.DEFAULT));
        assertFalse(asksForBundles(faulty, RingOptions.DEFAULT), "a kernel before 6.17 may have the fault");
        assertFalse(asksForBundles(present, RingOptions.DEFAULT.withBundles(false)));
        assertFalse(asksForBundles(present, RingOptions.DEFAULT.withIncremental(true)), "not of pieces");
        try (Ring ring = Rings.open(present, Rings.SMALL)) {
            assertEquals(BundleTrial.passes(ring), asksForBundles(present, RingOptions.DEFAULT));
        }
    }

    private static boolean asksForBundles(Kernel kernel, RingOptions options) throws IOException {
        try (BufferedSet opened = BufferedSet.open(kernel, options)) {
            opened.set().beginWatching();
            boolean used = (opened.buffers().receiveFlags() & IoUring.IORING_RECVSEND_BUNDLE) != 0;
            boolean wanted = options.bundles() && !options.incremental();
            boolean told = opened.set().description().contains("bundles are not used");
            assertEquals(wanted && opened.set().ring().features().bundles() && !used, told);
            return used;
        }
    }
}
