package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.framing.Framing;
import org.cabrank.kernel.Kernel;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recipes of the first page work. */
@Timeout(300)
class RecipesTest {
    private static final long PATIENCE_S = 120;
    private static final int UPLOAD_BYTES = 4 << 20;
    private static final int CALLERS = 8;
    private static final int CALLS = 50;

    @TempDir
    private Path directory;

    private static StreamServer.Builder server() {
        return StreamServer.builder().listen("127.0.0.1", 0);
    }

    private static Socket client(StreamServer server) throws Exception {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port());
        client.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_S));
        return client;
    }

    /** One thread takes io_uring where the machine has it, several take epoll. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void anUploadOfAnySizeIsStored(int threads) throws Exception {
        byte[] sent = new byte[UPLOAD_BYTES];
        new Random(1).nextBytes(sent);
        Path path = directory.resolve("upload");
        try (StreamReactor reactor =
                        StreamReactor.builder().threadsPerShard(threads).start();
                ReactorFile file = reactor.openFile(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            InetSocketAddress address = (InetSocketAddress) reactor.listen(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            ListenOptions.DEFAULT,
                            () -> Recipes.upload(file))
                    .address();
            try (Socket client = new Socket(address.getAddress(), address.getPort())) {
                client.getOutputStream().write(sent);
                client.shutdownOutput();
                assertEquals(
                        UPLOAD_BYTES + " bytes\n",
                        new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
            }
        }
        assertArrayEquals(sent, Files.readAllBytes(path));
    }

    @Test
    void aSubscriberThatReadsNothingLosesMessagesAndDelaysNoOther() throws Exception {
        Recipes.FanOut gateway = new Recipes.FanOut();
        byte[] message = new byte[32 << 10];
        try (StreamServer server = server().handler(() -> gateway).start();
                Socket reading = client(server);
                Socket idle = client(server)) {
            while (gateway.subscribers.size() < 2) {
                Thread.onSpinWait();
            }
            DataInputStream in = new DataInputStream(reading.getInputStream());
            while (gateway.lost.get() == 0) {
                gateway.publish(ByteBuffer.wrap(message));
                in.readFully(new byte[message.length]);
            }
            assertEquals(2, gateway.subscribers.size());
            idle.shutdownOutput();
        }
    }

    @Test
    void aDescriptorIsWatchedByTheThreadsOfAServer() throws Exception {
        BlockingQueue<Long> seen = new LinkedBlockingQueue<>();
        try (StreamReactor reactor = StreamReactor.builder().start()) {
            DescriptorHandle handle = Recipes.watch(reactor, seen::add);
            Kernel kernel = DescriptorSet.of(reactor).get(0).kernel();
            ByteBuffer number = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
            for (long n = 1; n <= 3; n++) {
                number.putLong(0, n);
                assertEquals(Long.BYTES, kernel.write(handle.fd(), kernel.addressOf(number), Long.BYTES));
                assertEquals(n, seen.poll(PATIENCE_S, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void eachCallerGetsItsReply() throws Exception {
        Framing frames = Framing.lengthPrefixed(4);
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try (StreamServer server = server().handler(
                                frames.handlers(() -> (connection, frame) -> frames.write(connection, frame)))
                        .start();
                Recipes.Caller caller = new Recipes.Caller(server.localAddress())) {
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                String name = "caller " + i;
                callers.add(threads.submit(() -> {
                    for (int call = 0; call < CALLS; call++) {
                        assertEquals(name + " " + call, caller.call(name + " " + call));
                    }
                    return null;
                }));
            }
            for (Future<?> each : callers) {
                each.get(PATIENCE_S, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdown();
        }
    }
}
