package org.cabrank.stream.testkit;

import static org.cabrank.stream.testkit.BlockingViews.SMALL;
import static org.cabrank.stream.testkit.BlockingViews.read;
import static org.cabrank.stream.testkit.BlockingViews.withView;
import static org.cabrank.stream.testkit.BlockingViews.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.stream.BlockingConnection;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionEndedException;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.testkit.BlockingViews.Body;
import org.cabrank.stream.testkit.BlockingViews.Call;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ends of a connection with a blocking view, and calls in callbacks. */
@Timeout(300)
class BlockingEndTest {
    private static void assertWakesAll(String reason, Body end) throws Exception {
        withView(SMALL, (peer, view) -> {
            peer.peerTakes(0);
            List<Call> calls = new ArrayList<>();
            calls.add(new Call(() -> read(view, 1)).awaitWaiting());
            calls.add(new Call(() -> view.write(ByteBuffer.allocate(100_000))).awaitWaiting());
            calls.add(new Call(() -> view.write(ByteBuffer.allocate(1))).awaitWaiting());
            end.run(peer, view);
            for (Call call : calls) {
                String message = call.failure(ConnectionEndedException.class).getMessage();
                assertTrue(message.contains(reason), message);
            }
            assertFalse(view.isOpen());
            assertThrows(ConnectionEndedException.class, () -> read(view, 1));
            assertThrows(ConnectionEndedException.class, () -> write(view, "x"));
        });
    }

    @Test
    void closeWakesEveryThreadThatWaits() throws Exception {
        assertWakesAll("this side has closed", (peer, view) -> view.close());
    }

    @Test
    void abortWakesEveryThreadThatWaits() throws Exception {
        assertWakesAll("this side has aborted", (peer, view) -> view.abort());
    }

    @Test
    void aResetWakesEveryThreadThatWaits() throws Exception {
        assertWakesAll("ECONNRESET", (peer, view) -> peer.peerResets());
    }

    @Test
    void aDeadlineWakesEveryThreadThatWaits() throws Exception {
        assertWakesAll("deadline", (peer, view) -> {
            view.connection().deadline(Duration.ofSeconds(1));
            peer.awaitIdle();
            peer.advance(Duration.ofSeconds(2));
        });
    }

    @Test
    void anAbortOfTheConnectionItselfWakesEveryThreadThatWaits() throws Exception {
        assertWakesAll("was closed", (peer, view) -> view.connection().abort());
    }

    @Test
    void bytesThatCameBeforeAResetAreRead() throws Exception {
        withView((peer, view) -> {
            peer.peerSends("before");
            peer.peerResets();
            assertEquals("before", read(view, 6));
            assertTrue(assertThrows(ConnectionEndedException.class, () -> read(view, 1))
                    .getMessage()
                    .contains("ECONNRESET"));
        });
    }

    @Test
    void callsInCallbacksAreRefusedInsteadOfWaitingForThemselves() {
        List<Throwable> refusals = new ArrayList<>();
        AtomicReference<BlockingConnection> first = new AtomicReference<>();
        ConnectionHandler calling = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                first.compareAndSet(null, BlockingConnection.of(connection));
                BlockingConnection view = first.get();
                refusals.add(assertThrows(IllegalStateException.class, () -> view.read(ByteBuffer.allocate(1))));
                refusals.add(assertThrows(IllegalStateException.class, () -> view.write(ByteBuffer.allocate(1))));
                refusals.add(assertThrows(
                        IllegalStateException.class, () -> view.inputStream().read()));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                throw new AssertionError("the view has the connection");
            }
        };
        try (EmbeddedConnection own = EmbeddedConnection.open(calling);
                EmbeddedConnection other = EmbeddedConnection.open(calling)) {
            assertFalse(own.isClosed());
            assertFalse(other.isClosed());
            assertEquals(6, refusals.size());
            assertTrue(
                    refusals.get(0).getMessage().contains("BlockingHandlers"),
                    refusals.get(0).getMessage());
        }
    }

    @Test
    void aViewTakenInTheMiddleReadsOnWhereTheHandlerHasStopped() throws Exception {
        AtomicReference<BlockingConnection> view = new AtomicReference<>();
        List<String> calls = new ArrayList<>();
        ConnectionHandler upgrading = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                byte[] head = new byte[8];
                data.get(head);
                calls.add(new String(head, StandardCharsets.US_ASCII) + " " + connection.isReceiving());
                view.set(BlockingConnection.of(connection));
                assertSame(view.get(), BlockingConnection.of(connection));
                calls.add("then " + connection.isReceiving());
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                calls.add("closed");
            }
        };
        try (EmbeddedConnection peer = EmbeddedConnection.open(upgrading)) {
            peer.peerSends("UPGRADE straight");
            assertEquals("straight", read(view.get(), 8));
            peer.peerSends(" on");
            assertEquals(" on", read(view.get(), 3));
            assertThrows(IllegalStateException.class, () -> BlockingConnection.of(peer.connection()));
            view.get().close();
            peer.peerEnds();
            assertTrue(peer.isClosed());
            assertEquals(List.of("UPGRADE  true", "then false", "closed"), calls);
        }
    }

    @Test
    void aViewTakenAtThePeersEndReadsTheRestAndTheEnd() throws Exception {
        AtomicReference<BlockingConnection> view = new AtomicReference<>();
        ConnectionHandler late = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                // all bytes stay unread
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                unread.get();
                view.set(BlockingConnection.of(connection));
            }
        };
        try (EmbeddedConnection peer = EmbeddedConnection.open(late)) {
            peer.peerSends("whole");
            peer.peerEnds();
            assertEquals("hole", read(view.get(), 4));
            assertEquals(-1, view.get().inputStream().read());
            assertFalse(peer.isClosed());
        }
    }
}
