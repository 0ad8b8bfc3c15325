package org.cabrank.http;

/**
 * The code of a service, with the routing of its requests. One object serves all connections. Calls for one connection come one at a time
 * and in order; calls for different connections come concurrently.
 */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Called when the head of a request has arrived, as a callback of its connection. The handler does one of these:
     *
     * <ul>
     *   <li>answers, or begins an answer, by {@link HttpExchange#send(int, String, String)} and similar methods;
     *   <li>asks for the body, by {@link HttpExchange#body} or {@link HttpExchange#wholeBody}, and answers later; else a body is dropped;
     *   <li>hands slow work away, by {@link HttpExchange#offload};
     *   <li>keeps the exchange and answers later, from any thread, by {@link HttpExchange#detach}.
     * </ul>
     *
     * If the handler throws, or returns without doing one of these, the request is answered with status 500. The
     * same holds for the receiver of a body. If an answer has begun, the connection is reset: a part must not be taken for the whole.
     */
    void request(HttpExchange exchange) throws Exception;
}
