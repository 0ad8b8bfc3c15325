package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.LogCapture;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes of a send without a copy belong to the network until the kernel's notification, however late that is. */
@Timeout(300)
class LateNotificationTest {
    private static final RingOptions ZERO_COPY = FaultyServer.SMALL.withZeroCopyBytes(1);
    private static final ConnectionHandler ECHO = (connection, data) -> {
        boolean last = data.get(data.position()) == 'c';
        connection.write(data);
        if (last) {
            connection.close();
        }
    };

    private final LateNotifications late = new LateNotifications(TestKernel.any());

    private FaultyServer start() throws IOException {
        return FaultyServer.start(new FaultyRings(late), ZERO_COPY, StreamReactor.builder());
    }

    @Test
    void memoryIsNotUsedAgainBeforeItIsFree() throws Exception {
        try (FaultyServer server = start()) {
            SocketAddress address = server.listen(ECHO);
            TestClient first =
                    TestClient.connect(address).send("1").expect("1").send("2").expect("2");
            TestClient other = TestClient.connect(address).send("3").expect("3");
            assertEquals(3, late.addresses().stream().distinct().count(), "memory was used again");
            assertEquals(3, server.reactor().chunksInUse());
            for (int left = 2; left >= 0; left--) {
                late.postNotification(0);
                int wanted = left;
                Await.until("a chunk is free", () -> server.reactor().chunksInUse() == wanted);
            }
            first.send("4").expect("4").send("5").expect("5"); // one of them in the chunk that the thread has set aside
            assertEquals(4, late.addresses().stream().distinct().count(), "memory that is free is not used again");
            late.postNotification(0);
            late.postNotification(0);
            first.close();
            other.close();
            server.awaitOnlyListeners(1);
        }
    }

    @Test
    void connectionThatIsClosedKeepsItsSlotAndItsMemoryUntilItIsFree() throws Exception {
        try (FaultyServer server = start()) {
            TestClient.connect(server.listen(ECHO))
                    .send("c")
                    .expect("c")
                    .expectEnd()
                    .close();
            server.reactor().awaitClosed(1);
            assertEquals(2, server.set().table().live(), "slots of the listener and the stream");
            assertEquals(1, server.reactor().chunksInUse());
            late.postNotification(0);
            server.awaitOnlyListeners(1);
        }
    }

    @Test
    void memoryThatWasCopiedIsNotOfferedAgain() throws Exception {
        try (FaultyServer server = start()) {
            TestClient client =
                    TestClient.connect(server.listen(ECHO)).send("1").expect("1");
            late.postNotification(IoUring.IORING_NOTIF_USAGE_ZC_COPIED);
            Await.until("it is known", () -> server.set().zeroCopySendsCopied() == 1);
            client.send("2").expect("2").close();
            assertEquals(1, server.set().zeroCopySends());
            server.awaitOnlyListeners(1);
        }
    }

    /** The NOTIF of a send that was refused says that it was copied, because it was not sent. */
    @Test
    void sendThatIsRefusedGoesAgainWithACopy() throws Exception {
        late.refuse(Errno.ENOMEM, true);
        try (FaultyServer server = start()) {
            TestClient client =
                    TestClient.connect(server.listen(ECHO)).send("1").expect("1");
            late.postNotification(IoUring.IORING_NOTIF_USAGE_ZC_COPIED);
            client.send("2").expect("2").close();
            server.awaitOnlyListeners(1);
            assertEquals(1, server.set().zeroCopySends());
            assertEquals(1, server.set().zeroCopySendsRefused());
            assertEquals(0, server.set().zeroCopySendsCopied());
        }
    }

    @Test
    void refusalThatNoNotificationFollowsFreesTheMemoryAtOnce() throws Exception {
        late.refuse(Errno.ENOMEM, false);
        try (FaultyServer server = start()) {
            TestClient.connect(server.listen(ECHO))
                    .send("1")
                    .expect("1")
                    .send("2")
                    .expect("2")
                    .close();
            server.awaitOnlyListeners(1);
            assertEquals(1, server.set().zeroCopySendsRefused());
        }
    }

    @Test
    void reactorEndsWithoutMemoryThatIsNeverFreeAndSaysSo() throws Exception {
        int keptBefore = ZeroCopy.keptCount();
        try (LogCapture log = new LogCapture(RingHandleSet.class)) {
            FaultyServer server = start();
            TestClient client =
                    TestClient.connect(server.listen(ECHO)).send("1").expect("1");
            client.send("c").expect("c").expectEnd().close();
            server.reactor().reactor().close();
            assertEquals(1, log.warnings().size(), log.warnings()::toString);
            assertEquals(2, late.outstanding());
            assertEquals(2, server.set().zeroCopySendsOutstanding());
            assertEquals(2, ZeroCopy.keptCount() - keptBefore, "chunks that nobody frees");
            assertEquals(2, server.reactor().chunksInUse());
            assertEquals(List.of(), server.set().table().all());
            assertTrue(log.warnings().get(0).contains("2 zero-copy sends"), log.warnings()::toString);
        }
    }
}
