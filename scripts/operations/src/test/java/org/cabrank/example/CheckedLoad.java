package org.cabrank.example;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Load for {@link HttpEchoService} that checks every byte of each answer. Half of the clients keep their connection, half of them
 * open one for each request.
 */
public final class CheckedLoad {
    private static final int CLIENTS = 6;
    private static final int EXAMPLES_MAX = 5;
    private static final int ANSWER_MAX_MS = 120_000;

    /** Time from an answer to the next request of a client: processes that start beside the load need the CPUs, too. */
    private static final long PAUSE_MS = 2;

    private final int port;
    private final Path end;
    private final AtomicLong answers = new AtomicLong();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    private CheckedLoad(int port, Path end) {
        this.port = port;
        this.end = end;
    }

    /**
     * Prints the numbers of right answers and of failures, and examples of the latter. Arguments: the port, and a file whose existence ends
     * the load.
     */
    public static void main(String[] arguments) throws InterruptedException {
        CheckedLoad load = new CheckedLoad(Integer.parseInt(arguments[0]), Path.of(arguments[1]));
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            Thread client = new Thread(() -> load.run(number));
            clients.add(client);
            client.start();
        }
        for (Thread client : clients) {
            client.join();
        }
        System.out.println(load.answers + " " + load.failures.size());
        load.failures.stream().limit(EXAMPLES_MAX).forEach(System.out::println);
    }

    private void run(int client) {
        long request = 0;
        while (!Files.exists(end)) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(ANSWER_MAX_MS);
                InputStream in = new BufferedInputStream(socket.getInputStream());
                boolean more = true;
                while (more) {
                    more = client % 2 == 0 && !Files.exists(end);
                    String target = "/client/" + client + "/request/" + request++;
                    socket.getOutputStream().write(head(target, more).getBytes(StandardCharsets.US_ASCII));
                    more &= requireEcho(in, target);
                    Thread.sleep(PAUSE_MS);
                }
            } catch (InterruptedException never) {
                throw new IllegalStateException(never);
            } catch (IOException failed) {
                failures.add("client " + client + ", request " + (request - 1) + ": " + failed);
            }
        }
    }

    private static String head(String target, boolean more) {
        return "GET " + target + " HTTP/1.1\r\nHost: test\r\n" + (more ? "" : "Connection: close\r\n") + "\r\n";
    }

    /** Returns false if the connection ends with this answer. */
    private boolean requireEcho(InputStream in, String target) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the connection ended behind '" + head + "'");
            }
            head.append((char) next);
        }
        String expected = target + "\n";
        String body = new String(in.readNBytes(expected.length()), StandardCharsets.US_ASCII);
        if (head.indexOf("HTTP/1.1 200 OK\r\n") != 0 || !body.equals(expected)) {
            throw new IOException("answer '" + head + body + "'");
        }
        answers.incrementAndGet();
        return !head.toString().toLowerCase().contains("connection: close");
    }
}
