package org.cabrank.http;

/**
 * Handler of requests: the code of a service. One object serves all connections; routing is left to it. Calls for one connection come one
 * at a time and in order; calls for different connections come concurrently.
 */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Called when the head of a request has come, as a callback of its connection. The handler does one of these:
     *
     * <ul>
     *   <li>answers, by {@link HttpExchange#send(int, String, String)} and the like, or begins to;
     *   <li>asks for the body, by {@link HttpExchange#body} or {@link HttpExchange#wholeBody}, and answers later. The body of a request
     *       that nobody asks for is dropped;
     *   <li>hands slow work away, by {@link HttpExchange#offload};
     *   <li>keeps the exchange and answers later, from any thread, by {@link HttpExchange#detach}.
     * </ul>
     *
     * A handler that returns without one of them, and a handler that throws, has the request answered with status 500, and so has the
     * handler of a body. If an answer has begun, the connection is reset, so that the client does not take a part for the whole.
     */
    void request(HttpExchange exchange) throws Exception;
}
