package org.cabrank.http;

import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.transport.LimitedHandlers;

/**
 * Supplies the connection handlers of an HTTP/1.1 server. Pass it to {@code StreamServer.builder().handler(service)} or {@link
 * org.cabrank.stream.StreamReactor#listen}. With TLS, pass it to the method {@code handlers} of a {@code Tls} for the protocol {@code
 * http/1.1}. Thread-safe, and immutable except for the counters. Each {@code with} method returns a changed copy with new counters.
 */
@SuppressWarnings("exports") // reactors of Cabrank know the superinterface
public final class HttpService implements LimitedHandlers {
    final HttpHandler handler;
    final HttpLimits limits;
    final HttpTimeouts timeouts;
    private final BooleanSupplier ending;

    final FailureLog failures = new FailureLog(HttpService.class);
    final LongAdder refused = new LongAdder();
    final LongAdder timedOut = new LongAdder();
    final LongAdder idle = new LongAdder();
    final LongAdder answersNotTaken = new LongAdder();
    final LongAdder handlerFailures = new LongAdder();
    final LongAdder upgraded = new LongAdder();

    HttpService(HttpHandler handler) {
        this(handler, HttpLimits.DEFAULT, HttpTimeouts.DEFAULT, () -> false);
    }

    private HttpService(HttpHandler handler, HttpLimits limits, HttpTimeouts timeouts, BooleanSupplier ending) {
        this.handler = handler;
        this.limits = Objects.requireNonNull(limits, "limits");
        this.timeouts = Objects.requireNonNull(timeouts, "timeouts");
        this.ending = Objects.requireNonNull(ending, "ending");
    }

    /** Returns a copy with other limits; default {@link HttpLimits#DEFAULT}. */
    public HttpService withLimits(HttpLimits changed) {
        return new HttpService(handler, changed, timeouts, ending);
    }

    /** Returns a copy with other time-outs; default {@link HttpTimeouts#DEFAULT}. */
    public HttpService withTimeouts(HttpTimeouts changed) {
        return new HttpService(handler, limits, changed, ending);
    }

    /**
     * Returns a copy whose answers close the connection ({@code Connection: close}) while {@code condition} is true, as they do during a
     * drain of the reactor. Use it for a server that is about to drain. Requests that have arrived are still answered.
     *
     * @param condition evaluated before each answer, by the thread that answers
     */
    public HttpService withEnding(BooleanSupplier condition) {
        return new HttpService(handler, limits, timeouts, condition);
    }

    @Override
    public void requireFit(StreamLimits ofConnection) {
        limits.requireFit(ofConnection);
    }

    @Override
    public ConnectionHandler get() {
        return new HttpConnection(this);
    }

    public HttpCounters counters() {
        return new HttpCounters(
                refused.sum(),
                timedOut.sum(),
                idle.sum(),
                answersNotTaken.sum(),
                handlerFailures.sum(),
                upgraded.sum());
    }

    boolean isEnding() {
        return ending.getAsBoolean();
    }
}
