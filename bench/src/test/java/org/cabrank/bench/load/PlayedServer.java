package org.cabrank.bench.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A server that the test plays, each connection on a thread of its own: an honest one, or one that lies. */
public final class PlayedServer implements AutoCloseable {

    private static final int PIECE_BYTES = 16 * 1_024;

    private final ServerSocket listener;
    private final Thread acceptor = new Thread(this::accept, "played-server");
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();
    private final Part part;

    /** The server's behaviour on one connection; the server closes the connection afterwards. */
    public interface Part {
        /** {@code number}: of the connection, from 0, as they came. */
        void play(Socket client, int number) throws IOException;
    }

    public PlayedServer(Part part) throws IOException {
        this.part = part;
        listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        acceptor.start();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private void accept() {
        for (int number = 0; !listener.isClosed(); number++) {
            try {
                Socket client = listener.accept();
                int its = number;
                Thread thread = new Thread(() -> play(client, its), "played-server-" + its);
                threads.add(thread);
                thread.start();
            } catch (IOException closed) {
                if (!listener.isClosed()) {
                    surprises.add(closed);
                }
            }
        }
    }

    private void play(Socket client, int number) {
        try (client) {
            client.setTcpNoDelay(true);
            part.play(client, number);
        } catch (IOException reset) {
            // The generator gives a connection up that it cannot trust any more: with bytes under way, a reset.
            if (reset.getMessage() == null) {
                surprises.add(reset);
            }
        }
    }

    /** Sends back whatever comes, to the end. */
    public static void echo(Socket client, int number) throws IOException {
        InputStream in = client.getInputStream();
        byte[] piece = new byte[PIECE_BYTES];
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
            client.getOutputStream().write(piece, 0, count);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        try {
            acceptor.join();
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException timedOut) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the server's connections have not ended");
        }
        if (!surprises.isEmpty()) {
            throw new AssertionError("the server had a surprise", surprises.peek());
        }
    }
}
