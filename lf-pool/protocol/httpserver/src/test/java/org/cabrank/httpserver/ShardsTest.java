package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that answer clients of other shards, which take their answers slowly. */
@Timeout(300)
class ShardsTest {
    /** More than a connection queues and its sockets hold: the handler waits for the client. */
    private static final int PUSHED_BYTES = 16 << 20;

    private final BlockingQueue<HttpExchange> kept = new LinkedBlockingQueue<>();
    private final Semaphore held = new Semaphore(0);
    private final Semaphore released = new Semaphore(0);

    private HttpServer start(int threads) throws IOException {
        HttpServer server = ServerMode.create(
                HttpServerSettings.DEFAULT.withBackend("epoll").withShards(2).withThreads(threads));
        server.createContext(
                "/threads",
                exchange -> ServerLifeTest.answer(
                        exchange, Thread.currentThread().getName().replaceAll("-\\d+$", "")));
        server.createContext("/hold", exchange -> {
            held.release();
            released.acquireUninterruptibly();
            ServerLifeTest.answer(exchange, "released");
        });
        server.createContext("/keep", kept::add);
        server.createContext("/push", exchange -> {
            HttpExchange first = kept.remove();
            first.sendResponseHeaders(200, PUSHED_BYTES);
            first.getResponseBody().write(new byte[PUSHED_BYTES]);
            first.close();
            ServerLifeTest.answer(exchange, "pushed");
        });
        server.start();
        return server;
    }

    /** Connects clients until one shard has four: that shard serves the first of the clients. */
    private static List<RawClient> ofOneShard(HttpServer server, List<RawClient> all) throws IOException {
        List<String> threads = new ArrayList<>();
        List<RawClient> own = new ArrayList<>();
        while (own.size() < 4) {
            RawClient client = new RawClient(server);
            all.add(client);
            threads.add(client.get("/threads").answer().body());
            own.clear();
            for (int i = 0; i < all.size(); i++) {
                if (threads.get(i).equals(threads.get(threads.size() - 1))) {
                    own.add(all.get(i));
                }
            }
        }
        return own;
    }

    /** Connects a client while all threads of the shard are busy: the other shard accepts it (epoll; a busy ring accepts as well). */
    private RawClient ofOtherShard(HttpServer server, List<RawClient> own, int threads) throws IOException {
        for (int i = 0; i < threads; i++) {
            own.get(i).get("/hold");
        }
        held.acquireUninterruptibly(threads);
        RawClient far = new RawClient(server);
        String threadsOfFar = far.get("/threads").answer().body();
        released.release(threads);
        for (int i = 0; i < threads; i++) {
            assertEquals("released", own.get(i).answer().body());
        }
        assertNotEquals(own.get(0).get("/threads").answer().body(), threadsOfFar);
        return far;
    }

    /** Waits until so many handlers have waited for their clients; a handler that fails has the test fail. */
    private static void awaitWaits(HttpServer server, int count) {
        HttpServerCounters now;
        do {
            Thread.onSpinWait();
            now = CabrankHttpServerProvider.counters(server);
            assertEquals(0, now.handlerFailures());
        } while (now.parked() + now.served() < count);
    }

    /** One handler waits for a client of the own shard, and one for a client of the other shard. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aShardServesWhileItsHandlersWaitForClientsOfBothShards(int threads) throws Exception {
        HttpServer server = start(threads);
        List<RawClient> all = new ArrayList<>();
        try {
            List<RawClient> own = ofOneShard(server, all);
            RawClient far = ofOtherShard(server, own, threads);
            all.add(far);
            RawClient near = own.get(0).get("/keep");
            kept.add(kept.take());
            own.get(1).get("/push");
            awaitWaits(server, 1);
            far.get("/keep");
            kept.add(kept.take());
            own.get(2).get("/push");
            awaitWaits(server, 2);
            assertEquals(200, own.get(3).get("/threads").answer().status());
            assertEquals(PUSHED_BYTES, far.answer().body().length());
            assertEquals("pushed", own.get(2).answer().body());
            assertEquals(PUSHED_BYTES, near.answer().body().length());
            assertEquals("pushed", own.get(1).answer().body());
        } finally {
            for (RawClient client : all) {
                client.close();
            }
            server.stop(0);
        }
    }
}
