package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.IoUring;
import org.cabrank.lf.HandleSet;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ring whose submissions are taken by a thread of the kernel. */
class SqPollTest {
    private static final RingOptions POLLED = Rings.SMALL.withSqPoll(Duration.ofMillis(1), -1);

    private final RefusingEnter kernel = new RefusingEnter(TestKernel.any());

    @Test
    void theThreadTakesWhatIsQueuedAndIsWokenWhenItSleeps() throws IOException {
        try (Ring ring = Rings.open(kernel, POLLED)) {
            assertTrue(ring.features().sqPoll());
            assertFalse(ring.features().deferTaskrun());
            boolean slept = false;
            for (int i = 0; i < 2_000 && !slept; i++) {
                kernel.takeCalls();
                Rings.addNop(ring, i);
                assertEquals(List.of((long) i), Rings.userData(Rings.awaitSome(ring)));
                slept = kernel.takeCalls().stream()
                        .anyMatch(call -> (call.flags() & IoUring.IORING_ENTER_SQ_WAKEUP) != 0);
                ring.await(1, 0, 3_000_000); // longer than its idle time
            }
            assertTrue(slept, "it never slept");
        }
    }

    @Test
    void manyMoreThanTheQueueHoldsCompleteInOrder() throws IOException {
        try (Ring ring = Rings.open(kernel, POLLED)) {
            List<Long> wanted = LongStream.range(0, 5_000).boxed().toList();
            List<Long> completed = new ArrayList<>();
            for (long each : wanted) {
                Rings.addNop(ring, each);
                if (each % 7 == 0) {
                    assertTrue(ring.submit() >= 0);
                    completed.addAll(Rings.userData(Rings.takeAll(ring)));
                }
            }
            completed.addAll(Rings.userData(Rings.await(ring, wanted.size() - completed.size())));
            assertEquals(wanted, completed);
        }
    }

    /** The queue's slots are the thread's to free: a wait for a completion must not be one for room. */
    @Test
    void aWaitSubmitsTheBacklogFirst() throws IOException {
        try (Ring ring = Rings.open(kernel, POLLED)) {
            for (int round = 0; round < 50; round++) {
                for (int i = 0; i < 30; i++) {
                    Rings.addNop(ring, i);
                }
                while (ring.completions().available() < 30) {
                    assertTrue(ring.await(30, 0, HandleSet.FOREVER) >= 0);
                }
                assertEquals(30, Rings.takeAll(ring).size());
                // The thread frees the slots of what it has submitted together when all of it has been submitted.
                Await.until("all slots are free", () -> ring.submissions().pending() == 0);
            }
        }
    }

    @Test
    void aWakeEndsAWait() throws Exception {
        try (Ring ring = Rings.open(kernel, POLLED)) {
            for (int i = 0; i < 3; i++) {
                TestThread waking = TestThread.start("waking", () -> assertEquals(0, ring.wake()));
                assertEquals(List.of(Ring.WAKEUP), Rings.userData(Rings.awaitSome(ring)));
                waking.join();
            }
        }
    }

    @Test
    void aCpuThatDoesNotExistIsRefusedInWords() throws IOException {
        Rings.openDisabled(kernel, POLLED).close();
        String message = assertThrows(
                        BackendUnavailableException.class,
                        () -> Ring.open(kernel, Rings.SMALL.withSqPoll(Duration.ofMillis(1), 1_000_000)))
                .getMessage();
        assertTrue(message.contains("CPU 1000000") && message.contains("online"), message);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shardsShareTheThreadOnlyWhereThatIsWanted(boolean shared) throws Exception {
        Rings.openDisabled(kernel, POLLED).close();
        RingBackendProbe provider = new RingBackendProbe(TestKernel.any(), POLLED.withSqPollShared(shared));
        try (StreamServer server = StreamServer.builder()
                .backend(Backend.of(provider))
                .shards(3)
                .accept(AcceptMode.DISPATCH)
                .listen("127.0.0.1", 0)
                .handler(() -> (connection, data) -> connection.write(data))
                .start()) {
            Set<String> threads = new HashSet<>();
            for (Ring ring : provider.rings()) {
                threads.add(Rings.submittingThread(ring));
            }
            assertEquals(shared ? 1 : 3, threads.size(), threads::toString);
            for (int i = 0; i < 6; i++) {
                try (Socket client = new Socket("127.0.0.1", server.port())) {
                    client.getOutputStream().write('x');
                    assertEquals('x', client.getInputStream().read());
                }
            }
        }
    }

    @Test
    void theThreadStaysOnTheCpuThatIsNamed() throws IOException {
        int cpu = Rings.someCpu();
        try (Ring ring = Rings.open(kernel, Rings.SMALL.withSqPoll(Duration.ofMillis(1), cpu))) {
            assertTrue(ring.features().describe().contains("SQPOLL SQ_AFF"), ring.features()::describe);
            Rings.addNop(ring, 1);
            assertEquals(List.of(1L), Rings.userData(Rings.awaitSome(ring)));
            assertEquals(String.valueOf(cpu), Rings.allowedCpusOfTheSubmittingThread(ring));
        }
    }
}
