package org.cabrank.iouring.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.cabrank.iouring.AccountingKernel;
import org.cabrank.iouring.OldKernel;
import org.cabrank.iouring.OldKernel.Version;
import org.cabrank.iouring.RingBackendProbe;
import org.cabrank.iouring.Rings;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.LogCapture;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A completion queue that starts small and grows, in the sizes that the kernel reports. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class RingGrowthTest {
    private static final RingOptions GROWING = RingOptions.DEFAULT
            .withEntries(8, 100) // the kernel rounds up
            .withCompletionsAtStart(8)
            .withReceiveBuffers(64, 512);

    private static Ring open(AccountingKernel kernel) throws IOException {
        Ring ring = Rings.open(kernel, GROWING);
        if (ring.completions().entries() > 8) {
            ring.close();
            abort("this kernel cannot resize a ring");
        }
        return ring;
    }

    private static int entries(Ring ring) throws IOException {
        return Integer.decode(Rings.fdInfo(ring, "CqMask")) + 1;
    }

    private static List<Long> takeAll(Ring ring, int count) throws IOException {
        List<Long> taken = new ArrayList<>();
        while (taken.size() < count) {
            assertTrue(ring.await(1, 0, Rings.PATIENCE_NS) > 0);
            ring.growIfCrowded();
            taken.addAll(Rings.userData(Rings.takeAll(ring)));
        }
        return taken;
    }

    @Test
    void theQueueDoublesWhileItIsCrowdedAndLosesNothing() throws IOException {
        AccountingKernel kernel = new AccountingKernel(TestKernel.any());
        try (Ring ring = open(kernel)) {
            assertEquals(8, entries(ring));
            assertTrue(
                    ring.features().describe().startsWith("queues: 8 submissions, 8 completions, growing to 128\n"),
                    ring.features()::describe);
            List<Long> few = LongStream.range(0, 4).boxed().toList();
            few.forEach(each -> Rings.addNop(ring, each));
            assertEquals(few, takeAll(ring, few.size()));
            assertEquals(8, entries(ring), "half full is not crowded");
            long next = 0;
            int before = 8;
            while (before < 128) {
                List<Long> more = LongStream.range(next, next + before).boxed().toList();
                next += before;
                more.forEach(each -> Rings.addNop(ring, each));
                assertEquals(more, takeAll(ring, more.size()));
                assertEquals(2 * before, entries(ring));
                assertEquals(2 * before, ring.completions().entries());
                before *= 2;
            }
            List<Long> tooMany = LongStream.range(0, 1_000).boxed().toList();
            tooMany.forEach(each -> Rings.addNop(ring, each));
            assertEquals(tooMany, takeAll(ring, tooMany.size()));
            assertEquals(128, entries(ring), "the last size");
            assertEquals(0, ring.completions().lostCount());
        }
        assertEquals("", kernel.kept());
    }

    @Test
    void aServerGrowsItsRingUnderLoad() throws Exception {
        open(new AccountingKernel(TestKernel.any())).close();
        RingBackendProbe provider = new RingBackendProbe(TestKernel.any(), GROWING);
        List<Socket> clients = new ArrayList<>();
        try (StreamServer server = StreamServer.builder()
                .backend(Backend.of(provider))
                .listen("127.0.0.1", 0)
                .handler(() -> (connection, data) -> connection.write(data))
                .start()) {
            for (int i = 0; i < 100; i++) {
                clients.add(new Socket("127.0.0.1", server.port()));
            }
            Ring ring = provider.rings().get(0);
            while (entries(ring) == 8) { // the test's time-out is the bound
                for (Socket client : clients) {
                    client.getOutputStream().write('x');
                }
                for (Socket client : clients) {
                    assertEquals('x', client.getInputStream().read());
                }
            }
            for (Socket client : clients) { // the server does not wait for them
                client.close();
            }
        }
    }

    /** The queue then overflows, as one that does not grow. */
    @Test
    void aRefusalIsLoggedOnceAndTheRingServesOn() throws IOException {
        AccountingKernel kernel = new AccountingKernel(TestKernel.any());
        try (Ring ring = open(kernel);
                LogCapture log = new LogCapture(RingGrowth.class)) {
            kernel.refuse(1, Errno.ENOMEM);
            List<Long> many = LongStream.range(0, 200).boxed().toList();
            many.forEach(each -> Rings.addNop(ring, each));
            assertEquals(many, takeAll(ring, many.size()));
            assertEquals(8, entries(ring));
            assertEquals(1, log.warnings().size(), log.warnings()::toString);
            assertTrue(log.warnings().get(0).contains("keeps 8 completions"), log.warnings()::toString);
        }
        assertEquals("", kernel.kept());
    }

    /** Its own flag tells of due completions everywhere else; here the ring must look. */
    @Test
    void aWaitThatDoesNotBlockFindsWhatIsDue() throws IOException {
        try (Ring ring = open(new AccountingKernel(TestKernel.any()))) {
            assertFalse(ring.features().taskrunFlag());
            assertEquals(0, ring.wake());
            Await.until("the wake-up is found", () -> ring.reap() > 0);
            assertEquals(List.of(Ring.WAKEUP), Rings.userData(Rings.takeAll(ring)));
        }
    }

    @Test
    void aRingThatCannotBeResizedHasAllFromTheStart() throws IOException {
        OldKernel kernel = new OldKernel(TestKernel.any(), Version.LINUX_6_12);
        try (LogCapture log = new LogCapture(RingSetup.class);
                Ring ring = Rings.open(kernel, GROWING)) {
            assertEquals(128, entries(ring));
            assertEquals(128, ring.features().growsTo());
            assertTrue(log.warnings().get(0).contains("EINVAL; Linux can from 6.13"), log.warnings()::toString);
            ring.growIfCrowded();
        }
        assertEquals("", kernel.kept());
    }

    /** Whichever call fails while the ring is made: nothing is left behind. */
    @Test
    void nothingIsLeftBehindByARingThatIsNotMade() throws IOException {
        open(new AccountingKernel(TestKernel.any())).close();
        AccountingKernel kernel = new AccountingKernel(TestKernel.any());
        boolean more = true;
        for (int nth = 1; more; nth++) {
            kernel.refuse(nth, Errno.ENOMEM);
            try (Ring ring = Ring.open(kernel, GROWING)) {
                assertTrue(ring.fd() >= 0);
                more = kernel.hasRefused();
            } catch (IOException refused) {
                assertTrue(kernel.hasRefused(), refused.getMessage());
            }
            assertEquals("", kernel.kept(), "after call " + nth);
        }
    }
}
