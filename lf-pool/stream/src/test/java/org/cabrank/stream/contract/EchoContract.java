package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Every byte comes back, in order. */
public abstract class EchoContract extends StreamContract {
    private static final int CLIENTS = 4;
    private static final int BYTES = 600_000;

    @Test
    void everyByteComesBackWhateverTheChunks() throws Exception {
        SocketAddress address = serve((connection, data) -> connection.write(data));
        List<CompletableFuture<Void>> exchanges = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            exchanges.add(exchange(client(address), i));
        }
        CompletableFuture.allOf(exchanges.toArray(CompletableFuture[]::new)).get();
    }

    /** Writes and reads in threads of their own, so that both directions are busy at once. */
    private static CompletableFuture<Void> exchange(TestClient client, int seed) {
        byte[] sent = randomBytes(BYTES, seed);
        CompletableFuture<Void> written = run(() -> {
            sendInChunks(client, sent, seed);
            client.endOutput();
        });
        CompletableFuture<Void> read = run(() -> assertArrayEquals(sent, client.readToEnd()));
        return CompletableFuture.allOf(written, read);
    }

    private static void sendInChunks(TestClient client, byte[] bytes, long seed) throws Exception {
        Random random = new Random(~seed);
        for (int at = 0; at < bytes.length; ) {
            int most = random.nextInt(10) == 0 ? 150_000 : 3_000;
            int count = Math.min(bytes.length - at, 1 + random.nextInt(most));
            client.send(java.util.Arrays.copyOfRange(bytes, at, at + count));
            at += count;
        }
    }

    @Test
    void requestsOneAfterTheOtherAreAnsweredOneAfterTheOther() throws Exception {
        TestClient client = client(serve((connection, data) -> connection.write(data)));
        for (int i = 0; i < 200; i++) {
            client.send("request " + i).expect("request " + i);
        }
        client.endOutput().expectEnd();
    }

    @Test
    void manyConnectionsAreServedAtOnce() throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.listen((connection, data) -> connection.write(data));
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            clients.add(client(address).send("client " + i));
        }
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).expect("client " + i).endOutput().expectEnd();
        }
        reactor.awaitClosed(clients.size());
        assertEquals(clients.size(), reactor.reactor().counters().opened());
    }

    private interface Step {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> run(Step step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        step.run();
                        done.complete(null);
                    } catch (Throwable failed) {
                        done.completeExceptionally(failed);
                    }
                })
                .start();
        return done;
    }
}
