package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.netty.CabrankEventLoopGroup;
import org.cabrank.netty.CountingLeakDetector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A program over each transport. It leaves neither a buffer nor an event loop behind. */
@ParameterizedClass(name = "{0}")
@MethodSource("org.cabrank.netty.program.ProgramTransport#tested")
abstract class ProgramContract {
    /** Set in a soak, whose tests are longer. */
    static final String SOAK = "cabrank.soak.seconds";

    /** Loads that share the time of a soak: of seven programs over three transports. */
    private static final int LOADS = 21;

    /** Threads that visit at a time. */
    private static final int CLIENTS = 4;

    /** Sockets that clients of the JDK and the JDK itself keep after a load of hundreds. */
    private static final int SOCKETS_KEPT_MAX = 2 * CLIENTS;

    static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    /** Threads of the group: servers and clients share them. */
    static final int THREADS = 4;

    @Parameter
    ProgramTransport transport;

    EventLoopGroup group;

    private int socketsBefore;
    private boolean loaded;

    @BeforeParameterizedClassInvocation
    static void forgetLeaksOfOtherTests() {
        CountingLeakDetector.leaks();
        CountingLeakDetector.forget();
    }

    @BeforeEach
    void startGroup() {
        socketsBefore = sockets();
        group = transport.start(THREADS);
    }

    @AfterEach
    void endGroup() {
        if (group == null) {
            return; // the transport is unavailable
        }
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
        if (group instanceof CabrankEventLoopGroup ours) {
            assertFalse(ours.iterator().hasNext());
        }
        if (loaded) {
            Await.until("the sockets are closed", () -> sockets() <= socketsBefore + SOCKETS_KEPT_MAX);
        }
    }

    @AfterParameterizedClassInvocation
    static void noBufferLeaked() {
        assertEquals(List.of(), CountingLeakDetector.leaks());
    }

    // ---- load, in a soak ----

    /** One visit of a client: connects, asks, and hangs up in one way or another. */
    interface Visit {
        void pay(Random random) throws Exception;
    }

    /** Pays visits in several threads for a part of the soak, and detects leaks with each access. */
    void load(Visit visit) throws Exception {
        loaded = true;
        ResourceLeakDetector.Level usual = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong(SOAK)) / LOADS;
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Random random = new Random(i);
            clients.add(new Thread(() -> {
                try {
                    do {
                        visit.pay(random);
                    } while (System.nanoTime() < endNs && failures.isEmpty());
                } catch (Throwable failed) {
                    failures.add(failed);
                }
            }));
        }
        clients.forEach(Thread::start);
        for (Thread client : clients) {
            client.join();
        }
        ResourceLeakDetector.setLevel(usual);
        for (Throwable each : failures) {
            throw new AssertionError(each);
        }
    }

    /** Waits until no strand has channels or tasks but those of the listening channels. */
    void awaitStrands(int listening) {
        if (group instanceof CabrankEventLoopGroup ours) {
            Await.until("strands have ended", () -> {
                List<EventExecutor> left = new ArrayList<>();
                ours.forEach(left::add);
                return left.size() == listening;
            });
        }
    }

    /** Connects, sends bytes, and resets the connection. */
    static void reset(InetSocketAddress server, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            socket.getOutputStream().write(bytes);
            socket.setSoLinger(true, 0);
        }
    }

    /** Blocks the thread that runs the caller's handler. */
    static void block() {
        Await.until(Duration.ofMillis(3), () -> false);
    }

    private static int sockets() {
        int count = 0;
        for (File each : new File("/proc/self/fd").listFiles()) {
            try {
                count += Files.readSymbolicLink(each.toPath()).toString().startsWith("socket:") ? 1 : 0;
            } catch (IOException closed) {
                // meanwhile
            }
        }
        return count;
    }

    static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    static <F extends Future<?>> F done(F future) {
        assertTrue(future.awaitUninterruptibly(PATIENCE_MS), "not done: " + future);
        future.syncUninterruptibly();
        return future;
    }

    static <T> T result(java.util.concurrent.Future<T> future) throws Exception {
        return future.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    }

    static InetSocketAddress addressOf(ChannelFuture bound) {
        return (InetSocketAddress) bound.channel().localAddress();
    }
}
