package org.cabrank.bench.run;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client that sends {@code DEBUG SLEEP 0.1} again and again, in a thread of its own, until it is closed. */
final class SleepingClient implements AutoCloseable {
    private static final byte[] SLEEP =
            "*3\r\n$5\r\nDEBUG\r\n$5\r\nSLEEP\r\n$3\r\n0.1\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String OK = "+OK";
    private static final String PONG = "+PONG";
    private static final int TIMEOUT_MS = 30_000;

    private final Socket socket;
    private final Thread thread;
    private volatile boolean closed;
    private volatile IOException failure;

    private SleepingClient(Socket socket) {
        this.socket = socket;
        thread = new Thread(this::sleepAgainAndAgain, "sleeping-client");
        thread.setDaemon(true);
    }

    /** Returns when the server has slept once. */
    static SleepingClient start(InetSocketAddress server) throws IOException {
        SleepingClient client = new SleepingClient(connect(server));
        boolean started = false;
        try {
            client.ask(SLEEP, OK);
            client.thread.start();
            started = true;
            return client;
        } finally {
            if (!started) {
                client.socket.close();
            }
        }
    }

    private static Socket connect(InetSocketAddress server) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(TIMEOUT_MS);
        socket.setTcpNoDelay(true);
        socket.connect(server, TIMEOUT_MS);
        return socket;
    }

    /** Opens {@code together} connections, each of which gets one answer, and closes them. */
    static void ping(InetSocketAddress server, int together) throws IOException {
        List<SleepingClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < together; i++) {
                clients.add(new SleepingClient(connect(server)));
            }
            for (SleepingClient client : clients) {
                client.ask(PING, PONG);
            }
        } finally {
            for (SleepingClient client : clients) {
                client.socket.close();
            }
        }
    }

    private void sleepAgainAndAgain() {
        try {
            while (!closed) {
                ask(SLEEP, OK);
            }
        } catch (IOException broken) {
            failure = broken;
        }
    }

    private void ask(byte[] request, String expected) throws IOException {
        socket.getOutputStream().write(request);
        InputStream in = socket.getInputStream();
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("closed instead of answered");
            }
            line.append((char) next);
        }
        if (!line.toString().strip().equals(expected)) {
            throw new IOException("answered '" + line.toString().strip() + "' instead of '" + expected + "'");
        }
    }

    /**
     * Ends the client.
     *
     * @throws IOException if the server did not sleep all the time
     */
    @Override
    public void close() throws IOException {
        closed = true;
        try {
            thread.join(TIMEOUT_MS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        socket.close();
        if (failure != null) {
            throw new IOException("the client that has the server sleep has failed: " + failure.getMessage(), failure);
        }
    }
}
