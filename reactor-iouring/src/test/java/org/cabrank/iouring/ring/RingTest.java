package org.cabrank.iouring.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.cabrank.iouring.AccountingKernel;
import org.cabrank.iouring.Completion;
import org.cabrank.iouring.OldKernel;
import org.cabrank.iouring.RefusingEnter;
import org.cabrank.iouring.Rings;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A ring of the real kernel, through every way of calling it. */
class RingTest {
    static List<TestKernel> kernels() {
        return TestKernel.all();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void queuedRequestIsSubmittedAndCompletedInOneWait(TestKernel kernel) throws IOException {
        try (Ring ring = Rings.open(kernel.kernel(), Rings.SMALL)) {
            Rings.addNop(ring, 7);
            Rings.addNop(ring, 8);
            assertEquals(2, ring.submissions().pending());
            assertEquals(2, ring.await(2, 0, HandleSet.FOREVER));
            assertEquals(0, ring.submissions().pending());
            assertEquals(List.of(7L, 8L), Rings.userData(Rings.takeAll(ring)));
            assertEquals(0, ring.completions().available());
        }
    }

    @Test
    void manyMoreThanTheQueueHoldsCompleteInOrder() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            List<Long> wanted = LongStream.range(0, 10_000).boxed().toList();
            List<Long> completed = new ArrayList<>();
            wanted.forEach(each -> {
                Rings.addNop(ring, each);
                if (each % 3 == 0) {
                    assertTrue(ring.reap() >= 0);
                    completed.addAll(Rings.userData(Rings.takeAll(ring)));
                }
            });
            completed.addAll(Rings.userData(Rings.await(ring, wanted.size() - completed.size())));
            assertEquals(wanted, completed);
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void aWakeFromAnotherThreadEndsAWait(TestKernel kernel) throws Exception {
        try (Ring ring = Rings.open(kernel.kernel(), Rings.SMALL)) {
            for (int i = 0; i < 3; i++) {
                CompletableFuture<Integer> woken = CompletableFuture.supplyAsync(ring::wake);
                List<Completion> completed = Rings.awaitSome(ring);
                assertEquals(List.of(Ring.WAKEUP), Rings.userData(completed));
                completed.forEach(each -> ring.woken(each.result(), each.flags()));
                assertEquals(0, woken.get());
            }
        }
    }

    @Test
    void aWakeBeforeTheRingHasAnOwnerEndsItsFirstWait() throws IOException {
        try (Ring ring = Rings.openDisabled(TestKernel.any(), Rings.SMALL)) {
            assertEquals(0, ring.wake());
            ring.enableHere();
            assertEquals(List.of(Ring.WAKEUP), Rings.userData(Rings.awaitSome(ring)));
        }
    }

    @Test
    void aWakeThatComesWithTheEndOfTheRingDoesNoHarm() throws Exception {
        for (int i = 0; i < 300; i++) {
            AccountingKernel kernel = new OldKernel(
                    TestKernel.any(), i % 2 == 0 ? OldKernel.Version.LINUX_6_0 : OldKernel.Version.LINUX_6_12);
            Ring ring = Rings.open(kernel, Rings.SMALL);
            CountDownLatch waking = new CountDownLatch(1);
            TestThread late = TestThread.start("late", () -> {
                for (int n = 0; n < 50; n++) {
                    int refused = ring.wake();
                    waking.countDown(); // first, because the test waits for it
                    assertEquals(0, refused);
                }
            });
            waking.await();
            ring.close();
            ring.close();
            late.join();
            assertEquals(0, ring.wake());
            assertEquals("", kernel.kept());
        }
    }

    @Test
    void aWaitEndsWithItsTime() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            long before = System.nanoTime();
            assertEquals(0, ring.await(1, 0, 2_000_000));
            assertTrue(System.nanoTime() - before >= 2_000_000, "it ended early");
            assertEquals(0, ring.await(1, 0, 0));
        }
    }

    @Test
    void anotherThreadIsRefusedWithTheNameOfTheOwner() throws Exception {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            ring.enableHere();
            String owner = Thread.currentThread().getName();
            CompletableFuture<IOException> refused =
                    CompletableFuture.supplyAsync(() -> assertThrows(IOException.class, ring::enableHere));
            assertTrue(
                    refused.get().getMessage().contains("only one thread use a ring, " + owner + ";"),
                    refused.get()::getMessage);
        }
    }

    @Test
    void descriptionOfARingListsItsGrantedFeatures() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            String description = ring.features().describe();
            assertTrue(description.startsWith("queues: 8 submissions, 32 completions\n"), description);
            assertTrue(description.contains("SINGLE_ISSUER"), description);
            String summary = ring.features().summary();
            assertTrue(summary.startsWith("SINGLE_ISSUER, "), summary);
            String wakeup = ring.features().messageRegister() ? "MSG_RING" : "eventfd";
            assertTrue(summary.contains("wakeup by " + wakeup), summary);
        }
    }

    @Test
    void aWaitForABatchIsContentWithOneAfterAWhile() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            assumeTrue(ring.features().minWait(), "this kernel does not wait for a batch");
            for (long timeoutNs : new long[] {HandleSet.FOREVER, 20_000_000_000L}) {
                assertEquals(0, ring.await(1, 0, 1_000_000)); // a shorter time than the next may be
                Rings.addNop(ring, 1);
                long before = System.nanoTime();
                assertEquals(1, ring.await(2, 3_000_000, timeoutNs));
                assertTrue(System.nanoTime() - before >= 3_000_000, "it did not wait for the second");
                Rings.addNop(ring, 2);
                assertEquals(2, ring.await(2, 3_000_000, timeoutNs));
                assertEquals(List.of(1L, 2L), Rings.userData(Rings.takeAll(ring)));
            }
        }
    }

    /**
     * The time of an earlier wait is forgotten. A timer is counted as expired before its completion is there, and an owner's wait
     * may end between the two; neither is before its time.
     */
    @Test
    void aWaitForABatchWithoutATimeGoesOnUntilSomethingCompletes() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            assumeTrue(ring.features().minWait(), "this kernel does not wait for a batch");
            assertEquals(0, ring.await(1, 0, 1_000_000));
            ByteBuffer span = ByteBuffer.allocateDirect(TimeSpec.SIZE_BYTES).order(ByteOrder.nativeOrder());
            span.putLong(TimeSpec.NSEC_OFFSET, 30_000_000);
            long address = ring.kernel().addressOf(span);
            ring.submissions().append(IoUring.IORING_OP_TIMEOUT, 0, address, 1, 9, 0);
            long before = System.nanoTime();
            assertTrue(ring.await(2, 2_000_000, HandleSet.FOREVER) >= 0);
            assertTrue(System.nanoTime() - before >= 30_000_000, "it ended before anything completed");
            assertEquals(List.of(9L), Rings.userData(Rings.awaitSome(ring)));
        }
    }

    @Test
    void theOwnerCallsByTheRegisteredDescriptorHoweverManyRingsItHasHad() throws IOException {
        RefusingEnter kernel = new RefusingEnter(TestKernel.any());
        for (int i = 0; i < 40; i++) { // a thread has 16 places for them
            try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
                kernel.takeCalls();
                Rings.addNop(ring, i);
                assertEquals(List.of((long) i), Rings.userData(Rings.awaitSome(ring)));
                int flags = kernel.takeCalls().get(0).flags();
                assertTrue((flags & IoUring.IORING_ENTER_REGISTERED_RING) != 0, "ring " + i);
            }
        }
    }

    /** A kernel without the flag refuses it, as {@link OldKernel} does. */
    @Test
    void waitsAreNoIoWaitWhereTheKernelCanLeaveItOut() throws IOException {
        boolean known;
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            known = ring.features().noIoWait();
        }
        assertEquals(known, leavesOutIoWait(TestKernel.any(), Rings.SMALL));
        assertFalse(leavesOutIoWait(TestKernel.any(), Rings.SMALL.withIoWait(true)));
        OldKernel old = new OldKernel(TestKernel.any(), OldKernel.Version.LINUX_6_12);
        assertFalse(leavesOutIoWait(old, Rings.SMALL));
    }

    /** In all calls that wait, with a time and without, and in those that only look. */
    private static boolean leavesOutIoWait(Kernel next, RingOptions options) throws IOException {
        RefusingEnter kernel = new RefusingEnter(next);
        try (Ring ring = Rings.open(kernel, options)) {
            kernel.takeCalls();
            Rings.addNop(ring, 1);
            ring.await(1, 0, HandleSet.FOREVER);
            Rings.takeAll(ring);
            ring.await(1, 0, 1);
            Rings.addNop(ring, 2);
            ring.reap();
            Set<Boolean> leaveOut = kernel.takeCalls().stream()
                    .map(call -> (call.flags() & IoUring.IORING_ENTER_NO_IOWAIT) != 0)
                    .collect(Collectors.toSet());
            assertEquals(1, leaveOut.size(), "some do, and some do not");
            return leaveOut.iterator().next();
        }
    }

    @Test
    void anOwnerWithoutAPlaceForTheDescriptorCallsByItsNumber() throws IOException {
        List<Ring> rings = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Ring ring = Rings.open(TestKernel.any(), Rings.SMALL);
                rings.add(ring);
                Rings.addNop(ring, i);
                assertEquals(List.of((long) i), Rings.userData(Rings.awaitSome(ring)));
            }
        } finally {
            rings.forEach(Ring::close);
        }
    }

    @Test
    void useOfAClosedRingThrows() throws IOException {
        Ring ring = Rings.open(TestKernel.any(), Rings.SMALL);
        ring.close();
        assertThrows(IllegalStateException.class, () -> Rings.addNop(ring, 1));
        assertEquals(-Errno.EBADF, ring.submit());
        assertEquals(-Errno.EBADF, ring.reap());
        assertEquals(-Errno.EBADF, ring.await(1, 0, HandleSet.FOREVER));
        assertEquals(-Errno.EBADF, ring.register(IoUring.IORING_REGISTER_PROBE, 0, 0));
        assertEquals(0, ring.wake());
    }
}
