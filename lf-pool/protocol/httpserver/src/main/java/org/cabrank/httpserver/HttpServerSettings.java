package org.cabrank.httpserver;

import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.cabrank.http.HttpTimeouts;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.settings.Settings;
import org.cabrank.stream.StreamTimeouts;

/**
 * Settings that the JDK's API lacks. They are made from {@link #DEFAULT} by methods {@code with...}, or from system properties:
 *
 * <table>
 * <caption>System properties</caption>
 * <tr><th>property</th><th>value</th><th>default</th></tr>
 * <tr><td>{@code cabrank.httpserver.backend}</td><td>{@code auto} or the name of a backend: {@code epoll}, {@code iouring}</td>
 *   <td>{@code auto}</td></tr>
 * <tr><td>{@code cabrank.httpserver.shards}</td><td>1 to 1,024</td><td>1</td></tr>
 * <tr><td>{@code cabrank.httpserver.threads}</td><td>for each shard, 1 to 1,024; 0 (grows as needed, up to 16)</td><td>0</td></tr>
 * <tr><td>{@code cabrank.httpserver.connections}</td><td>largest number at a time; 0 (no limit)</td><td>0</td></tr>
 * <tr><td>{@code cabrank.httpserver.headBytes}</td><td>64 to 61,440</td><td>32,768</td></tr>
 * <tr><td>{@code cabrank.httpserver.bodyBytesFirst}</td><td>0 to 16,777,216</td><td>65,536</td></tr>
 * <tr><td>{@code cabrank.httpserver.answerBytesQueued}</td><td>0 to 3,145,728</td><td>1,048,576</td></tr>
 * <tr><td>{@code cabrank.httpserver.headSeconds}</td><td>0 (never) to 31,622,400</td><td>10</td></tr>
 * <tr><td>{@code cabrank.httpserver.bodySeconds}</td><td>0 (never) to 31,622,400</td><td>600</td></tr>
 * <tr><td>{@code cabrank.httpserver.idleSeconds}</td><td>0 (never) to 31,622,400</td><td>60</td></tr>
 * <tr><td>{@code cabrank.httpserver.answerSeconds}</td><td>0 (never) to 31,622,400</td><td>60</td></tr>
 * <tr><td>{@code cabrank.httpserver.handshakeSeconds}</td><td>0 (never) to 31,622,400</td><td>10</td></tr>
 * <tr><td>{@code cabrank.httpserver.closeSeconds}</td><td>0 (never) to 31,622,400</td><td>5</td></tr>
 * <tr><td>{@code cabrank.httpserver.closeTotalSeconds}</td><td>0 (never) to 31,622,400</td><td>60</td></tr>
 * <tr><td>{@code cabrank.httpserver.attributes}</td><td>{@code context} or {@code exchange}</td><td>{@code context}</td></tr>
 * </table>
 *
 * @param backend name of a backend, or {@code auto}
 * @param shards number of shards, from 1 to 1,024. Each shard has its own threads
 * @param threads number of threads of each shard, from 1 to 1,024. With 0, each shard {@linkplain PoolConfig#growing finds its size}. If
 *     the backend's shards cannot grow, 0 means one thread. Without an executor, these threads run handlers, and all but one may be parked
 * @param connectionsMax largest number of connections at a time. A further connection is reset. 0 means no limit
 * @param headBytes bytes of the request line and the fields, from 64 to 61,440. A longer head is answered with status 431 or 414
 * @param bodyBytesFirst bytes of a body to receive before the handler is called, from 0 to 16 MiB. With 0, the handler is called after the
 *     head. The handler is called earlier if the body ends, or if half a second has passed and threads are free
 * @param answerBytesQueued bytes of an answer that may wait for a slow client, from 0 to 3 MiB. If more bytes wait, the handler waits until
 *     the client has taken all but 64 KiB
 * @param timeouts time-outs of clients that are slow to send a head, a body or the next request, or to take answers
 * @param handshake time for the handshake of TLS, from 1 ms to 366 days, or {@link StreamTimeouts#NEVER}
 * @param close time after which the connection is reset if the client takes nothing of the last answer; see {@link StreamTimeouts#close}
 * @param closeTotal time after which the connection is reset even if the client takes bytes; see {@link StreamTimeouts#closeTotal}
 * @param attributesOfExchange true if an exchange begins with a copy of its context's attributes; false if it shares them
 */
public record HttpServerSettings(
        String backend,
        int shards,
        int threads,
        int connectionsMax,
        int headBytes,
        int bodyBytesFirst,
        int answerBytesQueued,
        HttpTimeouts timeouts,
        Duration handshake,
        Duration close,
        Duration closeTotal,
        boolean attributesOfExchange) {
    public static final HttpServerSettings DEFAULT = new HttpServerSettings(
            "auto",
            1,
            0,
            0,
            32 << 10,
            64 << 10,
            1 << 20,
            HttpTimeouts.DEFAULT.withBody(Duration.ofMinutes(10)),
            Duration.ofSeconds(10),
            StreamTimeouts.DEFAULT.close(),
            StreamTimeouts.DEFAULT.closeTotal(),
            false);

    private static final String PREFIX = "cabrank.httpserver.";
    private static final int COUNT_MAX = 1_024;
    private static final int HEAD_MIN = 64;

    /** Must be below the limit of unread bytes of a connection, which is 64 KiB. */
    private static final int HEAD_MAX = 60 << 10;

    private static final int BODY_FIRST_MAX = 16 << 20;

    /** Leaves room for earlier answers in a connection's queue, which has a limit of 4 MiB. */
    private static final int ANSWER_QUEUED_MAX = 3 << 20;

    private static final int SECONDS_MAX = 366 * 86_400;

    int threadsMax() {
        return threads == 0 ? PoolConfig.GROWING_TO : threads;
    }

    public HttpServerSettings {
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(timeouts, "timeouts");
        require("shards", shards, 1, COUNT_MAX);
        require("threads", threads, 0, COUNT_MAX);
        require("connectionsMax", connectionsMax, 0, Integer.MAX_VALUE);
        require("headBytes", headBytes, HEAD_MIN, HEAD_MAX);
        require("bodyBytesFirst", bodyBytesFirst, 0, BODY_FIRST_MAX);
        require("answerBytesQueued", answerBytesQueued, 0, ANSWER_QUEUED_MAX);
        StreamTimeouts.nanos(handshake, "handshake");
        StreamTimeouts.nanos(close, "close");
        StreamTimeouts.nanos(closeTotal, "closeTotal");
    }

    private static void require(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ", but is " + value);
        }
    }

    /** @throws IllegalArgumentException if a property has a wrong value; the message has its name and the valid values */
    public static HttpServerSettings ofSystemProperties() {
        return of(System::getProperty);
    }

    static HttpServerSettings of(UnaryOperator<String> properties) {
        HttpTimeouts times = DEFAULT.timeouts;
        return new HttpServerSettings(
                text(properties, "backend", DEFAULT.backend),
                number(properties, "shards", DEFAULT.shards, 1, COUNT_MAX),
                number(properties, "threads", DEFAULT.threads, 0, COUNT_MAX),
                number(properties, "connections", DEFAULT.connectionsMax, 0, Integer.MAX_VALUE),
                number(properties, "headBytes", DEFAULT.headBytes, HEAD_MIN, HEAD_MAX),
                number(properties, "bodyBytesFirst", DEFAULT.bodyBytesFirst, 0, BODY_FIRST_MAX),
                number(properties, "answerBytesQueued", DEFAULT.answerBytesQueued, 0, ANSWER_QUEUED_MAX),
                new HttpTimeouts(
                        seconds(properties, "headSeconds", times.head()),
                        seconds(properties, "bodySeconds", times.body()),
                        seconds(properties, "idleSeconds", times.idle()),
                        seconds(properties, "answerSeconds", times.answers())),
                seconds(properties, "handshakeSeconds", DEFAULT.handshake),
                seconds(properties, "closeSeconds", DEFAULT.close),
                seconds(properties, "closeTotalSeconds", DEFAULT.closeTotal),
                isOfExchange(text(properties, "attributes", "context")));
    }

    private static String text(UnaryOperator<String> properties, String name, String otherwise) {
        String value = properties.apply(PREFIX + name);
        return value == null || value.isBlank() ? otherwise : value.trim();
    }

    private static int number(UnaryOperator<String> properties, String name, int otherwise, int min, int max) {
        String text = text(properties, name, Integer.toString(otherwise));
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException none) {
            // refused below, like a number out of range
        }
        throw refusal(name, text, "a whole number from " + min + " to " + max);
    }

    private static Duration seconds(UnaryOperator<String> properties, String name, Duration otherwise) {
        return Duration.ofSeconds(number(properties, name, (int) otherwise.toSeconds(), 0, SECONDS_MAX));
    }

    private static boolean isOfExchange(String value) {
        if (!value.equals("context") && !value.equals("exchange")) {
            throw refusal("attributes", value, "context or exchange");
        }
        return value.equals("exchange");
    }

    static IllegalArgumentException refusal(String name, String value, String right) {
        return new IllegalArgumentException(
                "the system property " + PREFIX + name + " is '" + value + "'; set it to " + right);
    }

    public HttpServerSettings withBackend(String changed) {
        return Settings.with(this, "backend", changed);
    }

    public HttpServerSettings withShards(int changed) {
        return Settings.with(this, "shards", changed);
    }

    public HttpServerSettings withThreads(int changed) {
        return Settings.with(this, "threads", changed);
    }

    public HttpServerSettings withConnectionsMax(int changed) {
        return Settings.with(this, "connectionsMax", changed);
    }

    public HttpServerSettings withHeadBytes(int changed) {
        return Settings.with(this, "headBytes", changed);
    }

    public HttpServerSettings withBodyBytesFirst(int changed) {
        return Settings.with(this, "bodyBytesFirst", changed);
    }

    public HttpServerSettings withAnswerBytesQueued(int changed) {
        return Settings.with(this, "answerBytesQueued", changed);
    }

    public HttpServerSettings withTimeouts(HttpTimeouts changed) {
        return Settings.with(this, "timeouts", changed);
    }

    public HttpServerSettings withHandshake(Duration changed) {
        return Settings.with(this, "handshake", changed);
    }

    public HttpServerSettings withClose(Duration changed) {
        return Settings.with(this, "close", changed);
    }

    public HttpServerSettings withCloseTotal(Duration changed) {
        return Settings.with(this, "closeTotal", changed);
    }

    public HttpServerSettings withAttributesOfExchange(boolean changed) {
        return Settings.with(this, "attributesOfExchange", changed);
    }

    /** Time limits of connections; {@link #timeouts} are the time limits of requests. */
    StreamTimeouts ofConnections() {
        return StreamTimeouts.DEFAULT.withClose(close).withCloseTotal(closeTotal);
    }

    HttpLimits limits() {
        return HttpLimits.DEFAULT
                .withHeadBytes(headBytes)
                .withTargetBytes(headBytes)
                .withFields(FIELDS_MAX)
                .withBodyBytes(HttpLimits.UNLIMITED);
    }

    /** Largest number of fields, as in the JDK's server. */
    private static final int FIELDS_MAX = 200;
}
