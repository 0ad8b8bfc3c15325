package org.cabrank.bench.end;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Clients of HTTP that check every answer. Half of them keep their connection until they are asked to close it. */
final class CheckedClients {
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: ([0-9]+)\r\n");
    private static final Pattern CLOSE = Pattern.compile("(?i)\r\nconnection: close\r\n");
    private static final int PROGRESS = 20;
    private static final int ANSWER_MAX_MS = 120_000;
    private static final long LOOK_NS = 1_000_000;

    /** Time from an answer to the next request of a client: leaves CPU time to servers that start beside the load. */
    private static final long PAUSE_NS = Long.getLong("cabrank.soak.seconds") == null ? 5_000_000 : 1_000_000;

    private final int port;
    private final String method;
    private final String answerBegin;
    private final String answerEnd;
    private final AtomicBoolean enough = new AtomicBoolean();
    private final AtomicLong answers = new AtomicLong();
    private final ConcurrentLinkedQueue<FailedRequest> failed = new ConcurrentLinkedQueue<>();
    private final List<CompletableFuture<Void>> running = new ArrayList<>();

    /**
     * A request without its right answer.
     *
     * @param client number of the client, from 0
     * @param begunNs clock of {@link System#nanoTime} before the request was sent
     * @param outcome the answer, or the exception
     */
    record FailedRequest(int client, long begunNs, String outcome) {}

    private CheckedClients(int port, int ofEachKind, String method, String answerBegin, String answerEnd) {
        this.port = port;
        this.method = method;
        this.answerBegin = answerBegin;
        this.answerEnd = answerEnd;
        for (int i = 0; i < ofEachKind; i++) {
            run(true);
            run(false);
        }
    }

    /** Clients of GET. */
    static CheckedClients get(int port, int ofEachKind) {
        return new CheckedClients(port, ofEachKind, "GET", "HTTP/1.1 200 OK\r\n", "\r\n\r\nHello, World!");
    }

    /** Clients of POST, which the server of HTTP takes like a request, works for, and refuses. */
    static CheckedClients post(int port, int ofEachKind) {
        return new CheckedClients(port, ofEachKind, "POST", "HTTP/1.1 405 Method Not Allowed\r\n", "");
    }

    private void run(boolean keep) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        int number = running.size();
        running.add(done);
        new Thread(() -> {
                    try {
                        while (!enough.get()) {
                            connection(number, keep);
                        }
                        done.complete(null);
                    } catch (Throwable broken) {
                        done.completeExceptionally(broken);
                    }
                })
                .start();
    }

    private void connection(int client, boolean keep) {
        long begunNs = System.nanoTime();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(ANSWER_MAX_MS);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean more = true;
            while (more) {
                begunNs = System.nanoTime();
                more = keep && !enough.get();
                String head =
                        method + " / HTTP/1.1\r\nHost: x\r\n" + (method.equals("POST") ? "Content-Length: 0\r\n" : "")
                                + (more ? "" : "Connection: close\r\n") + "\r\n";
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                String answer = answer(in);
                if (answer.startsWith(answerBegin) && answer.endsWith(answerEnd)) {
                    answers.incrementAndGet();
                } else {
                    failed.add(new FailedRequest(client, begunNs, answer));
                }
                more &= !CLOSE.matcher(answer).find();
                LockSupport.parkNanos(PAUSE_NS);
            }
        } catch (IOException broken) {
            failed.add(new FailedRequest(client, begunNs, broken.toString()));
        }
    }

    private static String answer(InputStream in) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("head so far: " + read);
            }
            read.append((char) next);
        }
        Matcher length = LENGTH.matcher(read);
        if (!length.find()) {
            throw new IOException("no length: " + read);
        }
        byte[] body = in.readNBytes(Integer.parseInt(length.group(1)));
        if (body.length < Integer.parseInt(length.group(1))) {
            throw new EOFException("a body of " + body.length + " bytes behind " + read);
        }
        return read.append(new String(body, StandardCharsets.US_ASCII)).toString();
    }

    /** Waits until the clients have got some more answers, and fails if a request has failed. */
    void awaitProgress() {
        awaitAnswers();
        requireNoFailure();
    }

    /** Waits until the clients have got some more answers. */
    void awaitAnswers() {
        long wanted = answers.get() + PROGRESS;
        while (answers.get() < wanted && failed.size() < PROGRESS) {
            running.stream().filter(CompletableFuture::isDone).forEach(CompletableFuture::join);
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private void requireNoFailure() {
        if (!failed.isEmpty()) {
            throw new AssertionError(failed.size() + " requests failed beside " + answers.get() + ": " + failed);
        }
    }

    /** Requests without their right answer so far. */
    List<FailedRequest> failed() {
        return List.copyOf(failed);
    }

    /** Ends the clients after the answers to the requests under way. */
    void stop() {
        enough.set(true);
        running.forEach(CompletableFuture::join);
    }

    /** Ends the clients after the answers to the requests under way, and fails if a request has failed. */
    void end() {
        stop();
        requireNoFailure();
    }
}
