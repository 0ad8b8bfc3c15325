package org.cabrank.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.WriteQueueFullException;

/**
 * Server-sent events (HTML, section 9.2) as the answer to a request. Any thread, several at once. A service that has an event for all
 * clients sends it on each client's stream. A client that reads more slowly than events are sent misses some ({@link #send}). The
 * connection of a client that takes nothing is reset after {@link HttpTimeouts#answers}.
 */
public final class EventStream {
    private final HttpExchange exchange;
    private boolean waiting;

    private EventStream(HttpExchange exchange) {
        this.exchange = exchange;
    }

    /**
     * Begins the answer, with the fields that were added. Only in a callback of the exchange. Supports {@link HttpExchange#gzip}: the
     * client can decode each event on arrival. The answer to HEAD has only a head.
     */
    public static EventStream begin(HttpExchange exchange) {
        exchange.addField("Content-Type", "text/event-stream");
        exchange.addField("Cache-Control", "no-store");
        exchange.begin(200, HttpExchange.UNKNOWN_LENGTH);
        EventStream stream = new EventStream(exchange.detach());
        if (exchange.method().equals("HEAD")) {
            stream.end();
        }
        return stream;
    }

    /**
     * Sends an event, or drops it if the client has not taken earlier events.
     *
     * @param type type of the event; null means {@code message}
     * @param id the client sends it back in the field Last-Event-ID when it connects again; null keeps the id of the event before
     * @return false if the event was dropped, because more bytes than {@link org.cabrank.stream.StreamLimits#highWatermark} wait or the
     *     client is gone ({@link #isOpen}). If clients must not miss events, end the stream then: the client connects again
     * @throws WriteQueueFullException if the event is longer than {@link org.cabrank.stream.StreamLimits#queueLimit}
     */
    public synchronized boolean send(String type, String id, String data) {
        String lines = line("event", type) + line("id", id) + dataLines(data) + "\n";
        if (!exchange.isOpen()) {
            return false;
        }
        if (!exchange.isWritable()) {
            awaitRoom();
            return false;
        }
        try {
            exchange.write(ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8)));
            return true;
        } catch (WriteQueueFullException full) {
            if (full.mayRetry()) {
                return false;
            }
            throw full;
        }
    }

    public boolean send(String data) {
        return send(null, null, data);
    }

    private static String line(String field, String value) {
        if (value == null) {
            return "";
        }
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0 || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the " + field + " of an event has no line ends and no NUL");
        }
        return field + ": " + value + "\n";
    }

    private static String dataLines(String data) {
        Objects.requireNonNull(data, "data");
        return "data: " + data.replace("\r\n", "\n").replace('\r', '\n').replace("\n", "\ndata: ") + "\n";
    }

    /** Starts the time-out of a client that does not take the events that were sent. */
    private void awaitRoom() {
        if (waiting) {
            return;
        }
        waiting = true;
        try {
            exchange.whenWritable(this::hasRoom);
        } catch (RejectedExecutionException gone) {
            waiting = false;
        }
    }

    private synchronized void hasRoom() {
        waiting = false;
    }

    /** Ends the stream; no effect on an ended stream. A browser connects again, and stops only if status 204 answers it. */
    public synchronized void end() {
        try {
            if (exchange.isOpen()) {
                exchange.end();
            }
        } catch (WriteQueueFullException full) {
            exchange.abort();
        }
    }

    /** Returns true until the stream has ended or its client is known to be gone. */
    public boolean isOpen() {
        return exchange.isOpen();
    }
}
