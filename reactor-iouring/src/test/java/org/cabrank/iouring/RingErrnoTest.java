package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionQueue;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every errno of io_uring_enter(2) has a meaning, and none loses a submission. */
class RingErrnoTest {
    private final RefusingEnter kernel = new RefusingEnter(TestKernel.any());

    @ParameterizedTest
    @ValueSource(ints = {Errno.EINTR, Errno.ETIME})
    void aWaitThatEndsWithoutACompletionIsEmpty(int errno) throws IOException {
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            kernel.answer(-errno, 1);
            assertEquals(0, ring.await(1, 0, HandleSet.FOREVER));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EBADR, Errno.EEXIST, Errno.EBADF, Errno.EFAULT})
    void fatalErrnoOfARingIsReportedToTheCaller(int errno) throws IOException {
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            Rings.addNop(ring, 1);
            kernel.answer(-errno, 2);
            assertEquals(-errno, ring.await(1, 0, HandleSet.FOREVER));
            assertEquals(-errno, ring.reap());
        }
    }

    /** The time without memory is spent waiting for completions, not asking over and over. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.EAGAIN, Errno.EBUSY, Errno.ENOMEM, Errno.ENOBUFS})
    void submissionsThatTheKernelHasNoMemoryForAreSubmittedLater(int errno) throws IOException {
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            ring.reap(); // submits the waker's poll
            kernel.takeCalls();
            Rings.addNop(ring, 1);
            kernel.answer(-errno, 1);
            long before = System.nanoTime();
            assertEquals(0, ring.await(1, 0, HandleSet.FOREVER));
            assertTrue(System.nanoTime() - before >= Ring.RETRY_NS, "it did not wait");
            assertEquals(2, kernel.takeCalls().size());
            assertEquals(1, ring.submissions().pending());
            assertEquals(List.of(1L), Rings.userData(Rings.awaitSome(ring)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EAGAIN, Errno.EBUSY, Errno.ENOMEM, Errno.ENOBUFS})
    void aKernelThatRefusesEvenToWaitIsNotAskedInAHotLoop(int errno) throws IOException {
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            Rings.addNop(ring, 1);
            kernel.answer(-errno, 2);
            LockSupport.parkNanos(
                    1); // consumes the permit of an earlier test: a thread that was unparked does not park
            long before = System.nanoTime();
            assertEquals(0, ring.await(1, 0, HandleSet.FOREVER));
            assertTrue(System.nanoTime() - before >= Ring.RETRY_NS, "it did not wait");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EAGAIN, Errno.EBUSY, Errno.ENOMEM, Errno.ENOBUFS})
    void completionsAreReadWhenTheKernelTakesNoSubmissions(int errno) throws IOException {
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            Rings.addNop(ring, 1);
            assertEquals(1, ring.reap());
            Rings.addNop(ring, 2);
            kernel.takeCalls();
            kernel.answer(-errno, 2);
            assertEquals(1, ring.await(2, 0, HandleSet.FOREVER));
            assertEquals(1, ring.reap());
            assertEquals(2, kernel.takeCalls().size());
            assertEquals(List.of(1L), Rings.userData(Rings.takeAll(ring)));
            assertEquals(List.of(2L), Rings.userData(Rings.awaitSome(ring)));
        }
    }

    @Test
    void requestsBeyondAFullQueueWaitInOrder() throws IOException {
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            kernel.answer(-Errno.EAGAIN, 1_000);
            List<Long> wanted = LongStream.range(0, 300).boxed().toList();
            wanted.forEach(each -> Rings.addNop(ring, each));
            SubmissionQueue submissions = ring.submissions();
            assertEquals(300, submissions.pending());
            assertEquals(300 - 8, submissions.backlogged());
            assertEquals(-Errno.EAGAIN, ring.submit());
            assertEquals(300, submissions.pending());
            kernel.answerByItself();
            assertEquals(wanted, Rings.userData(Rings.await(ring, 300)));
            assertEquals(0, submissions.pending());
        }
    }

    /** Else what waits there would wait for a completion that may never come. */
    @Test
    void aWaitDoesNotBeginBeforeTheBacklogIsSubmitted() throws Exception {
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            kernel.answer(-Errno.EAGAIN, 1);
            for (int i = 0; i < 9; i++) {
                Rings.addNop(ring, i);
            }
            assertEquals(1, ring.submissions().backlogged());
            assertEquals(9, ring.await(9, 0, HandleSet.FOREVER));
        }
    }

    @Test
    void aWaitThatLeavesABacklogBehindIsShort() throws Exception {
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            ring.reap(); // submits the waker's poll
            kernel.answer(-Errno.EAGAIN, 2);
            for (int i = 0; i < 9; i++) {
                Rings.addNop(ring, i);
            }
            int available = ring.await(9, 0, HandleSet.FOREVER);
            assertEquals(8, available, "what the queue held has completed, and the wait for the ninth was given up");
            assertEquals(9, ring.await(9, 0, HandleSet.FOREVER));
        }
    }

    /** The kernel takes some, and has no memory for the next. */
    @Test
    void aSubmitThatIsNotTakenWholeIsRepeatedAndToldWhenItIsRefused() throws IOException {
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            for (int i = 0; i < 4; i++) {
                Rings.addNop(ring, i);
            }
            kernel.takeOnly(2, 1);
            assertEquals(4, ring.submit());
            assertEquals(0, ring.submissions().pending());
            for (int i = 4; i < 8; i++) {
                Rings.addNop(ring, i);
            }
            kernel.takeOnly(2, 1);
            kernel.answer(-Errno.EAGAIN, 1);
            assertEquals(-Errno.EAGAIN, ring.submit());
            assertEquals(2, ring.submissions().pending());
            List<Completion> completed = Rings.await(ring, 8);
            assertEquals(LongStream.range(0, 8).boxed().toList(), Rings.userData(completed));
        }
    }

    @Test
    void aRingThatHasNothingToDoIsNoSystemCall() throws IOException {
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            ring.reap(); // arms what wakes it, where that is needed
            kernel.takeCalls();
            assertEquals(0, ring.submit());
            assertEquals(0, ring.reap());
            assertEquals(0, ring.await(1, 0, 0));
            assertEquals(List.of(), kernel.takeCalls());
            Rings.addNop(ring, 1);
            assertEquals(1, ring.submit());
            assertEquals(1, ring.await(1, 0, HandleSet.FOREVER));
            assertEquals(1, ring.await(1, 0, HandleSet.FOREVER), "it is not read yet");
            assertEquals(
                    1,
                    kernel.takeCalls().stream()
                            .filter(call -> call.toSubmit() > 0)
                            .count());
        }
    }

    @Test
    void oneCallSubmitsWaitsAndHarvests() throws IOException {
        try (Ring ring = Rings.open(kernel, Rings.SMALL)) {
            ring.reap();
            kernel.takeCalls();
            Rings.addNop(ring, 1);
            Rings.addNop(ring, 2);
            assertEquals(2, ring.await(1, 0, 1_000_000_000));
            List<RefusingEnter.Call> calls = kernel.takeCalls();
            assertEquals(1, calls.size());
            assertEquals(2, calls.get(0).toSubmit());
            int wanted = IoUring.IORING_ENTER_GETEVENTS | IoUring.IORING_ENTER_EXT_ARG;
            assertEquals(wanted, calls.get(0).flags() & wanted);
        }
    }
}
