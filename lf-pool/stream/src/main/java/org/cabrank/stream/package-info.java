/**
 * Stream servers, connections and their handlers, for all backends.
 *
 * <p>A service gives a {@link org.cabrank.stream.StreamServer} an address and a supplier of handlers. The server makes a handler for each
 * connection, calls it with the bytes that have been received, and sends the bytes that the handler writes:
 *
 * <pre>{@code
 * try (StreamServer server = StreamServer.builder()
 *         .listen("127.0.0.1", 7000)
 *         .handler(() -> (connection, data) -> connection.write(data))
 *         .start()) {
 *     server.awaitTermination();
 * }
 * }</pre>
 *
 * <p>The calls for one connection come one at a time and in order. The thread that leads its shard makes them. Any thread may call methods
 * of {@link org.cabrank.stream.Connection}. A handler that blocks does not stop other handlers if its shard has several threads; {@link
 * org.cabrank.stream.Connection#offload} hands slow work to an executor.
 *
 * <p>The class {@code StreamRecipes} among the tests of {@code bench/command} has examples.
 *
 * <p>Stability: stable, but for the canonical constructors of records, which get components.
 */
package org.cabrank.stream;
