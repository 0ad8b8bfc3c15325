package org.cabrank.bench.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;

/**
 * Fuzz target: a client and a handler of each backend follow a program of bytes. The client writes pieces, reads some of the echo,
 * and ends its output; the handler reads parts, pauses, hands work away and moves the connection. All bytes must come
 * back equal and in order, and then the end.
 *
 * <pre>
 * byte 0 .. n/2      of the handler: one for each callback, in turn
 * byte n/2 .. n      of the client: one for each step; the last step is the half-close
 * </pre>
 */
public final class StreamFuzz {
    private static final int STEPS_MAX = 64;
    private static final int BYTES_MAX = 48 << 10;
    private static final int SHARDS = 2;
    private static final int READ_TIMEOUT_MS = 120_000;
    private static final List<StreamServer> SERVERS = start();

    /** Program of the next connection's handler; servers have one connection at a time. */
    private static volatile byte[] handlerProgram = {};

    private StreamFuzz() {}

    /** For the fuzzer, which finds the method by its name. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        int middle = input.length / 2;
        handlerProgram = Arrays.copyOf(input, Math.min(STEPS_MAX, middle));
        byte[] clientProgram = Arrays.copyOfRange(input, middle, Math.min(input.length, middle + STEPS_MAX));
        for (StreamServer server : SERVERS) {
            run((InetSocketAddress) server.localAddress(), clientProgram, server.backendName());
        }
    }

    private static List<StreamServer> start() {
        List<StreamServer> servers = new ArrayList<>();
        for (String backend : new String[] {"epoll", "iouring"}) {
            try {
                servers.add(StreamServer.builder()
                        .listen("127.0.0.1", 0)
                        .backend(Backend.named(backend))
                        .shards(SHARDS)
                        .handler(() -> new Follower(handlerProgram))
                        .start());
            } catch (BackendUnavailableException notHere) {
                System.err.println("without " + backend + ": " + notHere.getMessage());
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
        return servers;
    }

    private static void run(InetSocketAddress address, byte[] program, String backend) throws IOException {
        try (SocketChannel client = SocketChannel.open(address)) {
            client.socket().setSoTimeout(READ_TIMEOUT_MS);
            int sent = 0;
            int received = 0;
            for (byte step : program) {
                int size = step & 0x3f;
                if ((step & 0x80) == 0) { // write: 64 classes of sizes, up to some KiB
                    int bytes = Math.min(BYTES_MAX - sent, size < 32 ? size : size * size);
                    writeAll(client, sent, bytes);
                    sent += bytes;
                } else { // read what has come back so far; the handler may wait for more before it goes on
                    Thread.yield();
                    int there = client.socket().getInputStream().available();
                    received = expect(client, received, received + Math.min(there, size * size), backend);
                }
            }
            client.shutdownOutput();
            expect(client, received, sent, backend);
            check(client.read(ByteBuffer.allocate(1)) < 0, backend + ": bytes behind the end");
        }
    }

    private static void writeAll(SocketChannel client, int from, int bytes) throws IOException {
        ByteBuffer data = ByteBuffer.allocate(bytes);
        for (int i = 0; i < bytes; i++) {
            data.put(content(from + i));
        }
        data.flip();
        while (data.hasRemaining()) {
            client.write(data);
        }
    }

    private static int expect(SocketChannel client, int from, int to, String backend) throws IOException {
        // Through the stream of the socket, whose time-out ends the fuzzing of a server that has lost bytes.
        byte[] data = new byte[to - from];
        int received = client.socket().getInputStream().readNBytes(data, 0, data.length);
        check(received == data.length, backend + ": " + (from + received) + " of " + to + " bytes came back");
        for (int i = 0; i < data.length; i++) {
            check(data[i] == content(from + i), backend + ": byte " + (from + i) + " is wrong");
        }
        return to;
    }

    private static byte content(int position) {
        return (byte) (position * 31 + (position >> 8));
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }

    /** Echoes, in the way of the program's next byte. */
    private static final class Follower implements ConnectionHandler {
        private final byte[] program;
        private int at;

        Follower(byte[] program) {
            this.program = program;
        }

        private int next() {
            return program.length == 0 ? 0 : program[at++ % program.length] & 0xff;
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            int step = next();
            int part = step >> 3;
            int more = 32 + 64 * part; // makes progress, as no further bytes need to come for the next call
            switch (step & 7) {
                case 1: // a part; the rest comes again with the next bytes, or at the end
                    echo(connection, data, part);
                    break;
                case 2:
                    echo(connection, data, more);
                    connection.pauseReading();
                    ForkJoinPool.commonPool().execute(connection::resumeReading);
                    break;
                case 3:
                    echo(connection, data, more);
                    connection.offload(ForkJoinPool.commonPool(), () -> null, (own, nothing) -> own.flush());
                    break;
                case 4:
                    echo(connection, data, data.remaining());
                    connection.moveTo(part % SHARDS);
                    break;
                case 5:
                    echo(connection, data, part);
                    connection.flush();
                    echo(connection, data, data.remaining());
                    break;
                case 6: // from another thread, in the place of the order of its calls
                    later(connection, data);
                    break;
                default:
                    echo(connection, data, data.remaining());
                    break;
            }
        }

        private static void echo(Connection connection, ByteBuffer data, int bytes) {
            int end = Math.min(data.limit(), data.position() + bytes);
            ByteBuffer part = data.duplicate().limit(end);
            connection.write(part);
            data.position(end);
        }

        private static void later(Connection connection, ByteBuffer data) {
            byte[] copy = new byte[data.remaining()];
            data.get(copy);
            connection.offload(
                    ForkJoinPool.commonPool(), () -> copy, (own, bytes) -> own.write(ByteBuffer.wrap(bytes)));
        }

        @Override
        public void inputClosed(Connection connection, ByteBuffer unread) {
            connection.write(unread);
            connection.close();
        }
    }
}
