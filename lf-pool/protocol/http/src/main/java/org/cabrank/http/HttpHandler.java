package org.cabrank.http;

/** The code of a service. Calls for one connection come one at a time and in order. Calls for different connections are concurrent. */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Called when the head of a request has arrived, as a callback of its connection. The handler does one of these:
     *
     * <ul>
     *   <li>answers, or begins an answer, by {@link HttpExchange#send(int, String, String)} and similar methods;
     *   <li>asks for the body, by {@link HttpExchange#body} or {@link HttpExchange#wholeBody}, and answers later. The body is dropped
     *       if the handler does not ask for it;
     *   <li>hands slow work to an executor, by {@link HttpExchange#offload};
     *   <li>keeps the exchange and answers later, from any thread, by {@link HttpExchange#detach}.
     * </ul>
     *
     * If the handler throws, or returns without doing one of these, the request is answered with status 500. The same applies to the
     * receiver of a body. If an answer has begun, the connection is reset, so that the client does not take a part for the whole.
     */
    void request(HttpExchange exchange) throws Exception;
}
