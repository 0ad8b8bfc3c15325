package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;

/**
 * A drain that begins while all threads are blocked in handlers: clients that were connected before are answered. Of those that
 * connect afterwards the kernel lets one through for each listening socket, and the others can go elsewhere.
 */
public abstract class DrainBacklogContract extends StreamContract {
    private static final int CLIENTS = 30;

    private final List<Integer> backlogs = new CopyOnWriteArrayList<>();

    /** Kernel of the reactor under test. */
    protected final Kernel kernel() {
        return new ForwardingKernel(TestKernel.any()) {
            @Override
            public int listen(int fd, int backlog) {
                int result = super.listen(fd, backlog);
                backlogs.add(backlog);
                return result;
            }
        };
    }

    @Test
    void oneClientAtMostGetsThroughAfterTheBeginOfADrainWithoutAFreeThread() throws Exception {
        CountDownLatch inside = new CountDownLatch(mode().threads());
        CountDownLatch release = new CountDownLatch(1);
        TestReactor reactor = start();
        SocketAddress address = reactor.listenAlone((connection, data) -> {
            if (data.get(data.position()) == 'b') {
                inside.countDown();
                release.await();
            }
            connection.write(data);
        });
        List<TestClient> blocking = new ArrayList<>();
        for (int i = 0; i < mode().threads(); i++) {
            blocking.add(client(address).send("b"));
        }
        inside.await();
        List<TestClient> early = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            early.add(client(address).send("x"));
        }
        TestThread closing = TestThread.start("closes", reactor.reactor()::close);
        List<SocketChannel> late = new ArrayList<>();
        try {
            Await.until("the drain has begun", () -> backlogs.contains(0));
            for (int i = 0; i < CLIENTS; i++) {
                late.add(closing(connectLate(address)));
            }
        } finally {
            release.countDown();
        }
        for (TestClient client : blocking) {
            client.expectToEnd("b").close();
        }
        for (TestClient client : early) {
            client.expectToEnd("x").close();
        }
        int answered = 0;
        for (SocketChannel channel : late) {
            answered += isAnswered(channel) ? 1 : 0;
        }
        assertTrue(answered <= 1, answered + " of " + CLIENTS + " late clients were answered");
        closing.join();
    }

    /** Sends a request if the kernel completes the connection, which it does at once or, after some ms, not at all. */
    private static SocketChannel connectLate(SocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.connect(address);
        if (Await.until(Duration.ofMillis(5), () -> isConnected(channel))) {
            channel.write(ByteBuffer.wrap(new byte[] {'x'}));
        }
        return channel;
    }

    private static boolean isConnected(SocketChannel channel) {
        try {
            return channel.finishConnect();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** Returns false if the client is refused. */
    private static boolean isAnswered(SocketChannel channel) throws IOException {
        if (!channel.isConnected()) {
            return false; // the handshake has not been completed, and is repeated by this client 1 s later
        }
        channel.configureBlocking(true);
        try (TestClient client = TestClient.of(channel)) {
            return client.readToEnd().length > 0;
        } catch (IOException reset) {
            return false;
        }
    }
}
