package org.cabrank.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.lf.NestingLimitException;
import org.cabrank.lf.Reply;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.BufferViews;

/** Calls the service for the exchanges of one connection, and answers if the service fails. Used only in callbacks of the connection. */
final class ExchangeCalls {
    private static final Duration FOREVER = Duration.ofDays(366);

    private final HttpService service;

    /** The last view of received bytes that was passed to the service. Null initially, and after a nested wait. */
    private BufferViews.View lent;

    /** Reply that {@link #letGo} waits for; {@link #beforeNestedWait} completes it at once. Null outside of {@code letGo}. */
    private Reply<Void> awaitedInVain;

    @FunctionalInterface
    interface ServiceCall {
        void run() throws Exception;
    }

    ExchangeCalls(HttpService service) {
        this.service = service;
    }

    void request(HttpExchange exchange) {
        try {
            service.handler.request(exchange);
        } catch (Exception failure) {
            failed(exchange, failure);
        }
        returned(exchange);
    }

    /** Passes a piece of the body to the service: the bytes of {@code data} from {@code from} to its position. */
    void piece(HttpExchange exchange, ByteBuffer data, int from) {
        BufferViews.View view = BufferViews.of(data);
        lent = view;
        try {
            exchange.receiver().data(exchange, view.lend(from, data.position()));
        } catch (Exception failure) {
            failed(exchange, failure);
        } finally {
            view.reclaim();
        }
        returned(exchange);
    }

    void end(HttpExchange exchange, HttpFields trailers) {
        exchange.noteBodyComplete();
        try {
            exchange.receiver().end(exchange, trailers);
        } catch (Exception failure) {
            failed(exchange, failure);
        }
        returned(exchange);
    }

    void continuation(HttpExchange exchange, ServiceCall call) {
        try {
            call.run();
        } catch (Exception failure) {
            failed(exchange, failure);
        }
        returned(exchange);
    }

    /**
     * Lets other threads run callbacks of the connection while the present call continues. A nested wait for {@code reply} gives up the
     * claim and the leadership. The wait ends at once, because {@link #beforeNestedWait} completes the reply.
     */
    void letGo(Reply<Void> reply) {
        awaitedInVain = reply;
        try {
            reply.await(FOREVER);
        } catch (NestingLimitException refused) {
            awaitedInVain = null; // the call keeps the connection
            throw refused;
        } catch (ExecutionException | TimeoutException impossible) {
            throw new IllegalStateException("a reply that is completed with null has failed", impossible);
        }
    }

    /** Called when the present call begins a nested wait. Empties {@link #lent}, because its memory now serves other connections. */
    void beforeNestedWait() {
        if (awaitedInVain != null) {
            awaitedInVain.completeWithoutWaking(null);
            awaitedInVain = null;
        }
        if (lent != null) {
            lent.empty();
            lent = null;
        }
    }

    private void returned(HttpExchange exchange) {
        if (!exchange.isAnsweredLater() && exchange.isOpen()) {
            failed(
                    exchange,
                    new IllegalStateException("the handler of a request has returned without an answer: answer, ask for"
                            + " the body, offload or detach"));
        }
    }

    private void failed(HttpExchange exchange, Exception failure) {
        service.handlerFailures.increment();
        service.failures.log("a handler of %s has failed", exchange, failure);
        try {
            if (!exchange.output.refuse(HttpStatus.INTERNAL_SERVER_ERROR, false) && exchange.isOpen()) {
                exchange.abort(); // the answer has begun
            }
        } catch (WriteQueueFullException full) {
            exchange.abort();
        }
    }
}
