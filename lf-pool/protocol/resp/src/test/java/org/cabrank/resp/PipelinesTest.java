package org.cabrank.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.Reply;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replies of a pipeline: gathered, in order, and not more than the peer takes. */
@Timeout(60)
class PipelinesTest {

    /** Notes the sizes of writes; always writable. */
    private static Connection noting(List<Integer> writes) {
        return (Connection) Proxy.newProxyInstance(
                PipelinesTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "write":
                            ByteBuffer data = (ByteBuffer) arguments[0];
                            writes.add(data.remaining());
                            data.position(data.limit());
                            return null;
                        case "limits":
                            return StreamLimits.DEFAULT;
                        default:
                            return method.getReturnType() == boolean.class ? true : null;
                    }
                });
    }

    @Test
    void repliesOfOneReceiveAreOneWrite() throws Exception {
        List<Integer> writes = new ArrayList<>();
        Connection connection = noting(writes);
        CommandDecoder decoder = new CommandDecoder(RespLimits.DEFAULT, (own, command, reply) -> reply.ok());
        decoder.opened(connection);
        decoder.data(connection, StandardCharsets.US_ASCII.encode("PING\r\n".repeat(100)));
        assertEquals(List.of(500), writes);
        decoder.data(connection, StandardCharsets.US_ASCII.encode("PING\r\nPI"));
        assertEquals(List.of(500, 5), writes);
    }

    @Test
    void valuesOutsideOfACommandAreWrittenWhenTheyAreComplete() throws Exception {
        List<Integer> writes = new ArrayList<>();
        Connection connection = noting(writes);
        RespWriter writer = RespWriter.of(connection);
        writer.array(2);
        writer.bulk("PING");
        assertEquals(List.of(), writes);
        writer.array(1);
        writer.integer(1);
        assertEquals(List.of(4 + 10 + 8), writes);
        writer.ok();
        assertEquals(List.of(22, 5), writes);
    }

    @Test
    void handlingStopsWhileThePeerDoesNotTakeItsRepliesAndContinuesLater() {
        AtomicInteger handled = new AtomicInteger();
        byte[] value = new byte[100_000];
        int commands = 200;
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(Resp.server().handler((own, command, reply) -> {
                    handled.incrementAndGet();
                    reply.bulk(value);
                }))) {
            connection.peerTakes(0);
            connection.peerSends("GET\r\n".repeat(commands));
            int before = handled.get();
            assertTrue(before >= 1 && before < 10, before + " replies of 100 KB were queued");
            assertFalse(connection.isClosed());
            connection.peerTakes(EmbeddedConnection.UNLIMITED);
            long received = 0;
            for (int i = 0; i < commands && handled.get() < commands; i++) {
                received += connection.peerReceivesBytes().remaining();
            }
            received += connection.peerReceivesBytes().remaining();
            assertEquals(commands, handled.get());
            assertEquals(commands * ("$100000\r\n\r\n".length() + 100_000L), received);
        }
    }

    @Test
    void theWriterClosesTheConnectionBehindTheReplies() {
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(Resp.server().handler((own, command, reply) -> {
                    reply.ok();
                    if (command.is(0, "QUIT")) {
                        reply.close();
                    }
                }))) {
            connection.peerSends("A\r\nQUIT\r\nB\r\n");
            assertEquals("+OK\r\n+OK\r\n", connection.peerReceives());
            assertTrue(connection.isOutputEnded());
        }
    }

    @Test
    void offloadedCommandsAreAnsweredInOrder() {
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(Resp.server().handler((own, command, reply) -> {
                    String name = command.text(0);
                    if (name.startsWith("S")) {
                        own.offload(Runnable::run, () -> name, (back, result) -> reply.bulk(result));
                    } else {
                        reply.bulk(name);
                    }
                }))) {
            connection.peerSends("A\r\nS1\r\nB\r\nS2\r\nC\r\n");
            assertEquals("$1\r\nA\r\n$2\r\nS1\r\n$1\r\nB\r\n$2\r\nS2\r\n$1\r\nC\r\n", connection.peerReceives());
        }
    }

    /** The first command waits while the second is handled; the first answers with a writer of its own. */
    @Test
    void aCommandThatWaitsLetsTheNextOnesPass() {
        ArrayBlockingQueue<Reply<String>> replies = new ArrayBlockingQueue<>(1);
        AtomicReference<String> views = new AtomicReference<>();
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(Resp.server().handler((own, command, reply) -> {
                    if (!command.is(0, "WAIT")) {
                        reply.bulk(command.argument(0));
                        Reply<String> wanted = replies.poll();
                        if (wanted != null) {
                            wanted.complete("done");
                        }
                        return;
                    }
                    reply.simple("waiting");
                    ByteBuffer view = command.argument(0);
                    Reply<String> wanted = own.newReply();
                    replies.put(wanted);
                    String result = wanted.await(Duration.ofSeconds(30));
                    views.set(view.remaining() + " " + command.count());
                    reply.bulk(result);
                }))) {
            connection.peerSends("A\r\nWAIT\r\nB\r\n");
            assertEquals("$1\r\nA\r\n+waiting\r\n$1\r\nB\r\n$4\r\ndone\r\n", connection.peerReceives());
            assertEquals("0 0", views.get());
        }
    }
}
