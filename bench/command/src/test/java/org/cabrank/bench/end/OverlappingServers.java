package org.cabrank.bench.end;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;

/** Servers that replace each other at one port by {@link AcceptMode#REUSEPORT}, under a load of one connection for each request. */
final class OverlappingServers {
    private static final int CLIENTS = 4;
    private static final int EXAMPLES_MAX = 3;
    private static final int ANSWERS_BETWEEN = 200;
    private static final int ANSWER_MAX_MS = 120_000;
    private static final long LOOK_NS = 1_000_000;

    private final AtomicBoolean enough = new AtomicBoolean();
    private final AtomicLong answers = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    private OverlappingServers() {}

    /** Prints the numbers of answers and of failures. Arguments: backend, shards, and the number of restarts. */
    public static void main(String[] arguments) throws Exception {
        OverlappingServers run = new OverlappingServers();
        run.replaceEachOther(
                Backend.named(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        System.out.println(run.answers + " " + run.failures.size());
        run.failures.stream().limit(EXAMPLES_MAX).forEach(System.out::println);
    }

    private void replaceEachOther(Backend backend, int shards, int restarts) throws Exception {
        StreamServer server = start(backend, shards, 0);
        InetSocketAddress address = (InetSocketAddress) server.localAddress();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Thread client = new Thread(() -> request(address.getPort()));
            clients.add(client);
            client.start();
        }
        for (int i = 0; i < restarts; i++) {
            long wanted = answers.get() + ANSWERS_BETWEEN;
            while (answers.get() < wanted && failures.isEmpty()) {
                LockSupport.parkNanos(LOOK_NS);
            }
            StreamServer next = start(backend, shards, address.getPort());
            server.close();
            server = next;
        }
        enough.set(true);
        for (Thread client : clients) {
            client.join();
        }
        server.close();
    }

    private static StreamServer start(Backend backend, int shards, int port) throws IOException {
        return StreamServer.builder()
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .backend(backend)
                .shards(shards)
                .accept(AcceptMode.REUSEPORT)
                .drainGrace(Duration.ofSeconds(10)) // for the request of a connection that was accepted last
                .handler(() -> (connection, data) -> connection.write(data))
                .start();
    }

    private void request(int port) {
        while (!enough.get()) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MAX_MS);
                socket.setSoTimeout(ANSWER_MAX_MS);
                socket.getOutputStream().write(7);
                int answer = socket.getInputStream().read();
                if (answer == 7) {
                    answers.incrementAndGet();
                } else {
                    failures.add("answer " + answer);
                }
            } catch (IOException failed) {
                failures.add(failed.toString());
            }
        }
    }
}
