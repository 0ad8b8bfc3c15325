package org.cabrank.proxy;

import static org.cabrank.proxy.ProxiedConnections.HEADER;
import static org.cabrank.proxy.ProxiedConnections.PEER;
import static org.cabrank.proxy.ProxiedConnections.SECOND;
import static org.cabrank.proxy.ProxiedConnections.ascii;
import static org.cabrank.proxy.ProxiedConnections.behind;
import static org.cabrank.proxy.ProxiedConnections.counts;
import static org.cabrank.proxy.ProxiedConnections.open;
import static org.cabrank.proxy.ProxiedConnections.trusting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.cabrank.lf.Reply;
import org.cabrank.lf.handle.CancellableWork;
import org.cabrank.stream.BlockingHandlers;
import org.cabrank.stream.BlockingTask;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections behind a valid header: the header in pieces, callbacks, and the supplier of handlers. */
@Timeout(300)
class ProxyProtocolTest {
    // ---- headers in pieces ----

    static List<ProxyHeader> samples() {
        return SampleHeaders.each();
    }

    private static void assertServes(ProxyHeader header, ByteBuffer bytes, int... cuts) {
        RecordingHandler handler = new RecordingHandler();
        ProxyProtocol protocol = trusting().build();
        try (EmbeddedConnection connection = open(protocol, handler)) {
            int headerEnd = header.encode().remaining();
            int from = 0;
            for (int cut : cuts) {
                connection.peerSends(bytes.slice(from, cut - from));
                from = cut;
                assertEquals(
                        cut < headerEnd ? List.of() : List.of("opened"),
                        handler.calls.stream().limit(1).toList());
            }
            connection.peerSends(bytes.slice(from, bytes.limit() - from));
            connection.peerEnds();
            assertNull(connection.closeCause());
            assertTrue(connection.isClosed());
        }
        assertEquals("opened", handler.calls.get(0));
        assertEquals("request", handler.received.toString());
        assertEquals(
                List.of("inputClosed ", "closed"),
                handler.calls.subList(handler.calls.size() - 2, handler.calls.size()));
        assertEquals(1, handler.calls.stream().filter("opened"::equals).count());
        assertEquals(header.source().orElse(PEER), handler.connection.remoteAddress());
        assertEquals(PEER, handler.connection.proxyAddress());
        assertEquals(Optional.of(header), handler.connection.header());
        assertEquals(1, protocol.counters().served());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aHeaderServesWhereverItIsCut(ProxyHeader header) {
        ByteBuffer bytes = behind(header, "request");
        assertServes(header, bytes);
        for (int cut = 1; cut < bytes.limit(); cut++) {
            assertServes(header, bytes, cut);
        }
        int[] each = new int[bytes.limit() - 1];
        java.util.Arrays.setAll(each, i -> i + 1);
        assertServes(header, bytes, each);
    }

    @Test
    void anyHeaderServesInAnyPieces() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            ProxyHeader header = SampleHeaders.random(random);
            ByteBuffer bytes = behind(header, "request");
            int[] cuts = random.ints(random.nextInt(6), 1, bytes.limit())
                    .sorted()
                    .distinct()
                    .toArray();
            assertServes(header, bytes, cuts);
        }
    }

    @Test
    void bytesBehindTheHeaderReachTheHandlerInTheSameCallback() {
        RecordingHandler handler = new RecordingHandler();
        List<Boolean> inOpened = new ArrayList<>();
        RecordingHandler opening = new RecordingHandler() {
            @Override
            public void opened(Connection given) throws Exception {
                super.opened(given);
                given.execute(() -> calls.add("task"));
                inOpened.add(given.isInCallback());
            }
        };
        try (EmbeddedConnection connection = open(trusting().build(), opening)) {
            connection.peerSends(behind(HEADER, "abc"));
            assertEquals(List.of("opened", "data abc", "task"), opening.calls);
            assertEquals(List.of(true), inOpened);
        }
        try (EmbeddedConnection connection = open(trusting().build(), handler)) {
            connection.peerSends(HEADER.encode());
            assertEquals(List.of("opened"), handler.calls, "no call without bytes");
        }
    }

    @Test
    void bytesThatTheHandlerLeavesUnreadComeAgain() {
        List<String> seen = new ArrayList<>();
        ConnectionHandler twoBytes = (connection, data) -> {
            assertEquals(java.nio.ByteOrder.BIG_ENDIAN, data.order());
            seen.add(RecordingHandler.text(data.duplicate()));
            if (data.remaining() >= 2) {
                data.position(data.position() + 2);
            }
        };
        try (EmbeddedConnection connection = open(trusting().build(), twoBytes)) {
            connection.peerSends(behind(HEADER, "abc"));
            connection.peerSends("d");
            connection.peerSends("e");
            assertEquals(List.of("abc", "cd", "e"), seen);
        }
    }

    @Test
    void aReplacedHandlerLeavesTheRestToTheNext() {
        RecordingHandler next = new RecordingHandler();
        List<String> former = new ArrayList<>();
        ConnectionHandler upgrading = (connection, data) -> {
            former.add("" + (char) data.get());
            connection.replaceHandler(next);
            assertFalse(connection.isReceiving());
        };
        try (EmbeddedConnection connection = open(trusting().build(), upgrading)) {
            connection.peerSends(behind(HEADER, "abc"));
            connection.peerSends("d");
            connection.peerEnds();
            assertNull(connection.closeCause());
            assertEquals(List.of("a"), former);
            assertEquals("bcd", next.received.toString());
            assertEquals("closed", next.calls.get(next.calls.size() - 1));
        }
    }

    @Test
    void aBlockingTaskReadsBehindTheHeader() throws Exception {
        CompletableFuture<String> read = new CompletableFuture<>();
        BlockingTask task = view -> {
            read.complete(view.connection().remoteAddress() + " "
                    + new String(view.inputStream().readNBytes(3), StandardCharsets.US_ASCII));
            view.write(ascii("ok"));
        };
        try (EmbeddedConnection connection = EmbeddedConnection.open(trusting()
                .build()
                .handlers(BlockingHandlers.of(body -> new Thread(body).start(), task))
                .get())) {
            connection.peerSends(behind(HEADER, "abc"));
            assertEquals(HEADER.source().orElseThrow() + " abc", read.get());
            while (!connection.isOutputEnded()) {
                Thread.onSpinWait();
            }
            assertEquals("ok", connection.peerReceives());
        }
    }

    // ---- callbacks ----

    @Test
    void allCallbacksAreForwarded() {
        List<Reply<String>> replies = new ArrayList<>();
        RecordingHandler handler = new RecordingHandler() {
            @Override
            public void opened(Connection given) throws Exception {
                super.opened(given);
                given.deadline(SECOND);
            }

            @Override
            public void deadlinePassed(Connection given) {
                super.deadlinePassed(given);
                given.deadline(StreamTimeouts.NEVER);
            }

            @Override
            public void data(Connection given, ByteBuffer data) throws Exception {
                super.data(given, data);
                if (received.toString().equals("wait")) {
                    Reply<String> reply = given.newReply();
                    replies.add(reply);
                    calls.add(reply.await(Duration.ofSeconds(120)));
                }
            }
        };
        try (EmbeddedConnection connection = open(trusting().build(), handler)) {
            connection.peerSends(behind(HEADER, "wa"));
            connection.advance(SECOND.plusMillis(1));
            connection.peerSends("it");
            replies.get(0).complete("waited");
            connection.awaitIdle();
            connection.peerTakes(0);
            connection.connection().write(ByteBuffer.allocate(300_000));
            connection.awaitIdle();
            connection.peerTakes(EmbeddedConnection.UNLIMITED);
            connection.drain();
            connection.peerEnds();
            assertTrue(connection.isClosed());
        }
        assertEquals(
                List.of(
                        "opened",
                        "data wa",
                        "deadlinePassed",
                        "data it",
                        "beforeNestedWait",
                        "waited",
                        "writable",
                        "draining",
                        "closed"),
                handler.calls);
    }

    @Test
    void aFailureOfTheHandlerReachesIt() {
        IllegalStateException failure = new IllegalStateException("on purpose");
        RecordingHandler handler = new RecordingHandler() {
            @Override
            public void opened(Connection given) throws Exception {
                super.opened(given);
                throw failure;
            }
        };
        try (EmbeddedConnection connection = open(trusting().build(), handler)) {
            connection.peerSends(behind(HEADER, "abc"));
            assertSame(failure, connection.closeCause());
            assertSame(failure, handler.cause);
            assertEquals(List.of("opened", "closed"), handler.calls);
        }
    }

    @Test
    void aHandlerThatPausesInOpenedGetsTheRestLater() {
        RecordingHandler handler = new RecordingHandler() {
            @Override
            public void opened(Connection given) throws Exception {
                super.opened(given);
                given.pauseReading();
            }
        };
        try (EmbeddedConnection connection = open(trusting().build(), handler)) {
            connection.peerSends(behind(HEADER, "abc"));
            connection.peerSends("def");
            assertEquals(List.of("opened"), handler.calls);
            handler.connection.resumeReading();
            connection.awaitIdle();
            assertEquals("abcdef", handler.received.toString());
        }
    }

    @Test
    void aHandlerThatOffloadsInOpenedGetsTheRestBehindTheContinuation() {
        RecordingHandler handler = new RecordingHandler() {
            @Override
            public void opened(Connection given) throws Exception {
                super.opened(given);
                given.offload(Runnable::run, () -> "result", (own, result) -> note(own, result));
            }
        };
        try (EmbeddedConnection connection = open(trusting().build(), handler)) {
            connection.peerSends(behind(HEADER, "abc"));
            assertEquals(List.of("opened", "result", "data abc"), handler.calls);
        }
    }

    @Test
    void aHandlerThatClosesInOpenedGetsNoBytes() {
        RecordingHandler handler = new RecordingHandler() {
            @Override
            public void opened(Connection given) throws Exception {
                super.opened(given);
                given.close();
            }
        };
        try (EmbeddedConnection connection = open(trusting().build(), handler)) {
            connection.peerSends(behind(HEADER, "abc"));
            connection.peerEnds();
            assertEquals(List.of("opened", "closed"), handler.calls);
        }
    }

    @Test
    void bytesAreServedWhileOpenedWaits() {
        List<Reply<String>> replies = new ArrayList<>();
        RecordingHandler handler = new RecordingHandler() {
            @Override
            public void opened(Connection given) throws Exception {
                super.opened(given);
                Reply<String> reply = given.newReply();
                replies.add(reply);
                calls.add(reply.await(Duration.ofSeconds(120)));
            }
        };
        try (EmbeddedConnection connection = open(trusting().build(), handler)) {
            connection.peerSends(behind(HEADER, "abc"));
            connection.peerSends("def");
            assertEquals(List.of("opened", "beforeNestedWait", "data abc", "data def"), handler.calls);
            replies.get(0).complete("waited");
            connection.awaitIdle();
            connection.peerSends("ghi");
            assertEquals("abcdefghi", handler.received.toString());
        }
    }

    @Test
    void continuationsGetTheProxiedConnection() {
        RecordingHandler handler = new RecordingHandler() {
            @Override
            public void data(Connection given, ByteBuffer data) throws Exception {
                super.data(given, data);
                Executor inline = Runnable::run;
                ConnectionContinuation<String> noting = new ConnectionContinuation<>() {
                    @Override
                    public void resume(Connection own, String result) {
                        note(own, result);
                    }

                    @Override
                    public void failed(Connection own, Throwable failure) {
                        note(own, failure.getMessage());
                    }
                };
                Callable<String> work = () -> {
                    if (received.toString().equals("abc")) {
                        throw new IllegalStateException("failed");
                    }
                    return "result";
                };
                if (received.length() == 1) {
                    CancellableWork<String> cancellable = cancellation -> "cancellable";
                    given.offload(inline, cancellable, noting);
                } else {
                    given.offload(inline, work, noting);
                }
            }
        };
        try (EmbeddedConnection connection = open(trusting().build(), handler)) {
            connection.peerSends(behind(HEADER, "a"));
            connection.peerSends("b");
            connection.peerSends("c");
            assertEquals(
                    List.of("opened", "data a", "cancellable", "data b", "result", "data c", "failed"), handler.calls);
            assertThrows(NullPointerException.class, () -> handler.connection.offload(Runnable::run, () -> "", null));
        }
    }

    // ---- the supplier ----

    @Test
    void theHandlerIsMadeBehindTheHeader() {
        List<String> made = new ArrayList<>();
        ProxyProtocol protocol = trusting().build();
        ConnectionHandler decorated = protocol.handlers(() -> {
                    made.add("handler");
                    return new RecordingHandler();
                })
                .get();
        try (EmbeddedConnection connection = EmbeddedConnection.open(decorated)) {
            connection.peerSends("PROXY ");
            assertEquals(List.of(), made);
            connection.peerSends("UNKNOWN\r\n");
            assertEquals(List.of("handler"), made);
        }
    }

    @Test
    void aSupplierThatAnswersNullClosesTheConnection() {
        ProxyProtocol protocol = trusting().build();
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(protocol.handlers(() -> null).get())) {
            connection.peerSends(HEADER.encode());
            assertInstanceOf(NullPointerException.class, connection.closeCause());
        }
        assertEquals("010000000", counts(protocol));
    }

    @Test
    void aClientWritesTheHeaderFirst() {
        ConnectionHandler client = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                HEADER.writeTo(connection);
                connection.write(ascii("request"));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {}
        };
        try (EmbeddedConnection connection = EmbeddedConnection.open(client)) {
            assertServes(HEADER, connection.peerReceivesBytes());
        }
    }
}
