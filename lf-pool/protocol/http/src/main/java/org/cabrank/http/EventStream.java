package org.cabrank.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.WriteQueueFullException;

/**
 * Server-sent events (HTML, section 9.2) as the answer to a request. Several threads may use a stream at the same time. Events for a slow
 * client are dropped ({@link #send}). If a client takes nothing for {@link HttpTimeouts#answers}, its connection is reset.
 */
public final class EventStream {
    private final HttpExchange exchange;
    private boolean waiting;

    private EventStream(HttpExchange exchange) {
        this.exchange = exchange;
    }

    /** Begins the answer with the added fields. Call it only in a callback of the exchange. Supports {@link HttpExchange#gzip}. */
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
     * @param type null means {@code message}
     * @param id null keeps the id of the previous event. A client that connects again sends the last id in the field Last-Event-ID
     * @return false if the event was dropped because the client is gone ({@link #isOpen}), or because more bytes than {@link
     *     org.cabrank.stream.StreamLimits#highWatermark} wait to be sent. If clients must not miss events, end the stream after a drop, so
     *     that the client connects again
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

    /** Ends the stream. Has no effect on an ended stream. Afterwards, a browser connects again until it gets an answer with status 204. */
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
