package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.OffloadExecutors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Executors of programs: those that refuse, that block, and that run the handler where it is. */
@Timeout(300)
class ExecutorsTest {
    private static HttpServer start(Executor executor, HttpServerSettings settings) throws IOException {
        HttpServer server = ServerMode.create(settings);
        server.setExecutor(executor);
        server.createContext(
                "/",
                exchange -> ServerLifeTest.answer(
                        exchange, Thread.currentThread().getName().replaceAll("-\\d+$", "")));
        server.start();
        return server;
    }

    @Test
    void withoutAnExecutorThreadsOfTheServerRunHandlers() throws Exception {
        HttpServer server = start(null, HttpServerSettings.DEFAULT);
        assertNull(server.getExecutor());
        try (RawClient client = new RawClient(server)) {
            assertEquals(
                    "http-" + server.getAddress().getPort() + "-s0",
                    client.get("/").answer().body());
        } finally {
            server.stop(0);
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreadsRunHandlers() throws Exception {
        ExecutorService virtual = OffloadExecutors.virtualThreadsElse("virtual", 1, 1);
        HttpServer server = start(virtual, HttpServerSettings.DEFAULT);
        try (RawClient client = new RawClient(server)) {
            assertEquals("virtual", client.get("/").answer().body());
        } finally {
            server.stop(0);
            virtual.shutdown();
        }
    }

    @Test
    void anExecutorThatFailsIsAFailureOfTheHandler() throws Exception {
        HttpServer server = start(
                task -> {
                    throw new IllegalStateException("broken");
                },
                HttpServerSettings.DEFAULT);
        try (RawClient client = new RawClient(server)) {
            assertEquals(500, client.get("/").answer().status());
            assertEquals(1, CabrankHttpServerProvider.counters(server).handlerFailures());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anExecutorMayRunHandlersOnItsCaller() throws Exception {
        HttpServer server = start(Runnable::run, HttpServerSettings.DEFAULT.withThreads(2));
        try (RawClient client = new RawClient(server);
                RawClient second = new RawClient(server)) {
            for (int i = 0; i < 3; i++) {
                String name = client.get("/").answer().body();
                assertEquals("http-" + server.getAddress().getPort() + "-s0", name);
                assertEquals(name, second.get("/").answer().body());
            }
        } finally {
            server.stop(0);
        }
    }

    /** Several handlers at a time: none of them keeps the place in {@code execute} that a blocked one would have. */
    @Test
    void handlersOnTheCallerRunBesideEachOther() throws Exception {
        int threads = 3;
        CountDownLatch together = new CountDownLatch(threads);
        HttpServer server = ServerMode.create(HttpServerSettings.DEFAULT.withThreads(threads));
        server.setExecutor(Runnable::run);
        server.createContext("/", exchange -> {
            together.countDown();
            ServerLifeTest.await(together);
            ServerLifeTest.answer(exchange, "together");
        });
        server.start();
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < threads; i++) {
                clients.add(new RawClient(server).get("/"));
            }
            for (RawClient client : clients) {
                assertEquals("together", client.answer().body());
            }
        } finally {
            server.stop(0);
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /** As the Prometheus exporter does: a busy pool makes its callers wait. A thread stays with the shard. */
    @Test
    void anExecutorThatBlocksItsCallersLeavesTheShardAThread() throws Exception {
        Semaphore mayEnd = new Semaphore(0);
        CountDownLatch begun = new CountDownLatch(1);
        ThreadPoolExecutor blocking = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), (task, pool) -> putBlocking(task, pool));
        HttpServer server = ServerMode.create(HttpServerSettings.DEFAULT.withThreads(3));
        server.setExecutor(blocking);
        server.createContext("/", exchange -> {
            begun.countDown();
            mayEnd.acquireUninterruptibly();
            ServerLifeTest.answer(exchange, "done");
        });
        server.start();
        List<RawClient> clients = new ArrayList<>();
        try (RawClient unknown = new RawClient(server)) {
            clients.add(new RawClient(server).get("/"));
            ServerLifeTest.await(begun);
            for (int i = 0; i < 5; i++) {
                clients.add(new RawClient(server).get("/"));
            }
            assertEquals(
                    400, unknown.send("nonsense\r\n\r\n").answer().status()); // a thread of the server still answers
            mayEnd.release(6);
            for (RawClient client : clients) {
                assertEquals("done", client.answer().body());
            }
        } finally {
            server.stop(0);
            blocking.shutdownNow();
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private static void putBlocking(Runnable task, ThreadPoolExecutor pool) {
        try {
            pool.getQueue().put(task);
        } catch (InterruptedException stopped) {
            throw new RejectedExecutionException(stopped);
        }
    }
}
