package org.cabrank.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Over TCP, on both backends. */
@Timeout(120)
class RespServerTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int DEPTH = 16;
    private static final String PIPELINE = "*2\r\n$4\r\nECHO\r\n$5\r\nhello\r\n".repeat(DEPTH);
    private static final String ANSWERS = "$5\r\nhello\r\n".repeat(DEPTH);

    /** Bytes that the handler has allocated. Written by the only thread of the server. */
    private volatile long allocated;

    private StreamServer start(String backend, int threads) throws IOException {
        try {
            return StreamServer.builder()
                    .listen("127.0.0.1", 0)
                    .backend(Backend.named(backend))
                    .threadsPerShard(threads)
                    .handler(() -> measured(Resp.server().handler((connection, command, reply) -> {
                        if (command.is(0, "ECHO")) {
                            reply.bulk(command.argument(1));
                        } else {
                            reply.integer(allocated);
                        }
                    })))
                    .start();
        } catch (BackendUnavailableException notHere) {
            assumeTrue(false, notHere.getMessage());
            throw notHere;
        }
    }

    /**
     * Measures a handler without the bindings below, which may allocate where the compiler does not inline them. The handler is given
     * one buffer again and again, as without the check of buffers in tests, which copies what was received.
     */
    private ConnectionHandler measured(ConnectionHandler inner) {
        ByteBuffer received = ByteBuffer.allocateDirect(64 << 10);
        return (connection, data) -> {
            received.clear().put(data).flip();
            long before = THREADS.getCurrentThreadAllocatedBytes();
            inner.data(connection, received);
            allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
            data.position(data.limit() - received.remaining()); // a part of a command comes again
        };
    }

    private static void send(SocketChannel client, String text) throws IOException {
        ByteBuffer bytes = StandardCharsets.US_ASCII.encode(text);
        while (bytes.hasRemaining()) {
            client.write(bytes);
        }
    }

    private static RespValue receive(SocketChannel client, RespReader reader, ByteBuffer buffer) throws IOException {
        while (true) {
            RespValue value = reader.read(buffer);
            if (value != null) {
                return value;
            }
            assertTrue(client.read(buffer.clear()) > 0, "the server has closed the connection");
            buffer.flip();
        }
    }

    private static void exchange(SocketChannel client, ByteBuffer buffer) throws IOException {
        send(client, PIPELINE);
        buffer.clear().limit(ANSWERS.length());
        while (buffer.hasRemaining()) {
            assertTrue(client.read(buffer) > 0, "the server has closed the connection");
        }
        assertEquals(ANSWERS, StandardCharsets.US_ASCII.decode(buffer.flip()).toString());
    }

    @ParameterizedTest
    @CsvSource({"epoll, 1", "epoll, 3", "iouring, 1"})
    void pipelinesAreAnsweredInOrder(String backend, int threads) throws Exception {
        try (StreamServer server = start(backend, threads);
                SocketChannel client = SocketChannel.open(server.localAddress())) {
            int commands = 20_000;
            Thread sending = new Thread(() -> {
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < commands; i++) {
                    text.append("*2\r\n$4\r\nECHO\r\n$8\r\n")
                            .append(String.format("%08d", i))
                            .append("\r\n");
                }
                try {
                    send(client, text.toString());
                } catch (IOException broken) {
                    throw new AssertionError(broken);
                }
            });
            sending.start();
            RespReader reader = new RespReader();
            ByteBuffer buffer = ByteBuffer.allocate(64 << 10).limit(0);
            for (int i = 0; i < commands; i++) {
                RespValue.BulkString answer =
                        assertInstanceOf(RespValue.BulkString.class, receive(client, reader, buffer));
                assertEquals(i, Integer.parseInt(answer.text()));
            }
            sending.join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void commandsAndRepliesAllocateNothingOnceAThreadIsWarm(String backend) throws Exception {
        int pipelines = 1_000;
        try (StreamServer server = start(backend, 1);
                SocketChannel client = SocketChannel.open(server.localAddress())) {
            ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 20 && least >= pipelines; round++) {
                long before = allocated(client, buffer);
                for (int i = 0; i < pipelines; i++) {
                    exchange(client, buffer);
                }
                least = Math.min(least, allocated(client, buffer) - before);
            }
            assertTrue(least < pipelines, least + " bytes for " + pipelines + " pipelines");
        }
    }

    private static long allocated(SocketChannel client, ByteBuffer buffer) throws IOException {
        send(client, "ALLOCATED\r\n");
        RespValue.IntegerValue value = assertInstanceOf(
                RespValue.IntegerValue.class,
                receive(client, new RespReader(), buffer.clear().limit(0)));
        return value.value();
    }
}
