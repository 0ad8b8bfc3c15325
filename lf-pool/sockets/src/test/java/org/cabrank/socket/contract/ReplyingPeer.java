package org.cabrank.socket.contract;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.lf.fixture.NumberedText;

/**
 * A server for one client, of the JDK's blocking calls, that answers as each request asks it to: {@code "5 2 1"} is answered
 * after 5 us, by 2 equal replies and 1 of an id that nobody knows.
 */
final class ReplyingPeer {
    private final ServerSocket listener;
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final Thread reader = new Thread(this::serve, "replying peer");
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicInteger strangers = new AtomicInteger(-1);
    private final AtomicLong pending = new AtomicLong();
    private volatile Socket client;
    private volatile Throwable failure;

    ReplyingPeer() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        reader.start();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private void serve() {
        try (Socket accepted = listener.accept()) {
            client = accepted;
            accepted.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(accepted.getInputStream());
            while (true) {
                byte[] body = new byte[in.readInt() - NumberedText.HEADER_BYTES];
                int number = in.readInt();
                in.readFully(body);
                received.incrementAndGet();
                String[] wanted = new String(body, StandardCharsets.ISO_8859_1).split(" ");
                Runnable answer = () -> answer(number, Integer.parseInt(wanted[1]), Integer.parseInt(wanted[2]));
                int delayUs = Integer.parseInt(wanted[0]);
                if (delayUs == 0) {
                    answer.run();
                } else {
                    pending.incrementAndGet();
                    later.schedule(
                            () -> {
                                answer.run();
                                pending.decrementAndGet();
                            },
                            delayUs,
                            TimeUnit.MICROSECONDS);
                }
            }
        } catch (EOFException over) {
            failure = null; // the client has ended
        } catch (IOException broken) {
            failure = broken;
        }
    }

    private void answer(int number, int replies, int unknown) {
        for (int i = 0; i < replies; i++) {
            send(number, "reply to " + number);
        }
        for (int i = 0; i < unknown; i++) {
            send(strangers.getAndDecrement(), "reply to nobody");
        }
    }

    private synchronized void send(int number, String text) {
        sent.incrementAndGet(); // before the client can have it
        try {
            client.getOutputStream().write(NumberedText.message(number, text).array());
        } catch (IOException broken) {
            failure = broken;
        }
    }

    /** Returns true if all requests received so far have been answered. */
    boolean isQuiet() {
        return pending.get() == 0;
    }

    /** Requests. */
    long received() {
        return received.get();
    }

    /** Replies. */
    long sent() {
        return sent.get();
    }

    Throwable failure() {
        return failure;
    }

    /** Ends the connection. */
    void hangUp() throws IOException {
        client.close();
    }

    /** Ends everything, and waits for that. */
    void close() throws IOException, InterruptedException {
        later.shutdownNow();
        if (client != null) {
            client.close();
        }
        listener.close();
        reader.join();
    }
}
