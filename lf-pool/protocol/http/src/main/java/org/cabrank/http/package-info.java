/**
 * HTTP/1.1 servers (RFC 9110, RFC 9112) on stream connections. A {@link org.cabrank.http.HttpHandler} gets each request and
 * answers it:
 *
 * <pre>{@code
 * StreamServer server = StreamServer.builder()
 *         .listen("127.0.0.1", port)
 *         .handler(Http.server(exchange -> exchange.send(200, "text/plain", "hello")))
 *         .start();
 * }</pre>
 *
 * <p>Limits and time-outs belong to the service, and TLS is a layer below:
 *
 * <pre>{@code
 * return Http.server(handler)
 *         .withLimits(HttpLimits.DEFAULT.withBodyBytes(10 << 20).withFields(50))
 *         .withTimeouts(HttpTimeouts.DEFAULT.withIdle(Duration.ofSeconds(20)));
 * ...
 * Tls tls = Tls.server(context).applicationProtocols("http/1.1").build();
 * return StreamServer.builder()
 *         .listen("127.0.0.1", port)
 *         .handler(tls.handlers(Http.server(handler)))
 *         .start();
 * }</pre>
 *
 * <p>Slow work runs elsewhere, and the connection continues afterwards. A handler can also keep the exchange, so that any thread answers:
 *
 * <pre>{@code
 * exchange.offload(executor, () -> search(query), (own, found) -> own.send(200, "text/plain", found));
 * ...
 * HttpExchange kept = exchange.detach();
 * executor.execute(() -> kept.send(200, "text/plain", "by " + kept.path()));
 * }</pre>
 *
 * <p>Bodies come in pieces, or as a whole by {@link org.cabrank.http.HttpExchange#wholeBody}:
 *
 * <pre>{@code
 * return exchange -> exchange.body(new HttpBody() {
 *     private long sum;
 *
 *     @Override
 *     public void data(HttpExchange own, ByteBuffer bytes) {
 *         while (bytes.hasRemaining()) {
 *             sum += bytes.get() & 0xff;
 *         }
 *     }
 *
 *     @Override
 *     public void end(HttpExchange own, HttpFields trailers) {
 *         own.send(200, "text/plain", Long.toString(sum));
 *     }
 * });
 * }</pre>
 *
 * <p>Answers can be sent in pieces:
 *
 * <pre>{@code
 * void write() {
 *     while (written < lines && exchange.isWritable()) {
 *         exchange.write(ByteBuffer.wrap((written++ + "\n").getBytes()));
 *     }
 *     if (written < lines) {
 *         exchange.whenWritable(this::write); // the client does not read as fast
 *     } else {
 *         exchange.end();
 *     }
 * }
 * }</pre>
 *
 * <p>A handler may call another service and wait for its response. The thread serves the other connections of its shard during the wait
 * ({@link org.cabrank.stream.Connection#newReply}), including the connection to that service, so one thread is enough:
 *
 * <pre>{@code
 * HttpCall call = HttpCall.get(inventory + "/stock?" + exchange.query());
 * HttpResponse stock = client.await(exchange.connection(), call, Duration.ofSeconds(2));
 * exchange.send(200, "text/plain", "in stock: " + stock.text());
 * }</pre>
 *
 * <p>Tables: <a href="doc-files/limits.html">limits and outcomes</a>, <a href="doc-files/conformance.html">conformance</a>.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.http;
