/**
 * Stream servers, connections and their handlers, on whichever backend.
 *
 * <p>A service gives a {@link org.cabrank.stream.StreamServer} an address and a supplier of handlers. The server makes a handler
 * for each connection, calls it with the bytes that have been received, and sends the bytes that the handler writes:
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
 * <p>A {@link org.cabrank.stream.StreamReactor} is the same without a listener at first: it listens at several addresses, connects,
 * opens files, moves connections between shards. {@link org.cabrank.stream.StreamLimits}, {@link org.cabrank.stream.StreamTimeouts}
 * and {@link org.cabrank.stream.ListenOptions} bound what peers may take. A {@link org.cabrank.stream.Listener} pauses, resumes and
 * ends accepting at one address, and {@link org.cabrank.stream.SocketOptions} are set on listeners and connections:
 *
 * <pre>{@code
 * SocketOptions keepAlive = SocketOptions.NONE
 *         .with(SocketOption.SO_KEEPALIVE, true)
 *         .with(SocketOption.TCP_KEEPIDLE, Duration.ofMinutes(1));
 * Listener listener = reactor.listen(address, ListenOptions.DEFAULT.withAcceptedOptions(keepAlive), handlers);
 * }</pre>
 *
 * <p>Limits of a listener, and an acceptor that may refuse a peer:
 *
 * <pre>{@code
 * ListenOptions limits = ListenOptions.DEFAULT
 *         .withConnectionsMax(10_000)
 *         .withConnectionsPerPeerMax(100)
 *         .withAcceptRate(AcceptRate.perSecond(1_000));
 * return reactor.listen(address, limits, (remote, local) -> isBlocked(remote) ? null : handler);
 * }</pre>
 *
 * <p>The calls for one connection come one at a time and in order, on whichever thread of its shard leads. Methods of
 * {@link org.cabrank.stream.Connection} may be called by any thread. A handler that blocks does not stop other handlers if its
 * shard has several threads; {@link org.cabrank.stream.Connection#offload} hands slow work to an executor.
 *
 * <p>Objects of a service stay with their connection:
 *
 * <pre>{@code
 * private static final AttachmentKey<Session> SESSION = AttachmentKey.named("session");
 *
 * @Override
 * public void opened(Connection connection) {
 *     connection.attach(SESSION, new Session());
 * }
 *
 * @Override
 * public void data(Connection connection, ByteBuffer data) {
 *     connection.attachment(SESSION).requests++;
 *     connection.write(data);
 * }
 * }</pre>
 *
 * <p>Timers and deadlines are callbacks in the order of the connection:
 *
 * <pre>{@code
 * private ScheduledTask heartbeat;
 *
 * @Override
 * public void opened(Connection connection) {
 *     Duration period = Duration.ofSeconds(10);
 *     heartbeat =
 *             connection.scheduleEvery(period, period, () -> connection.write(ByteBuffer.wrap(new byte[1])));
 *     connection.deadline(Duration.ofSeconds(5)); // for the first message, however slowly it is sent
 * }
 * }</pre>
 *
 * <p>A writer stops before the queue is full, and is notified when the kernel has taken its bytes:
 *
 * <pre>{@code
 * private int sent;
 *
 * @Override
 * public void opened(Connection connection) {
 *     writable(connection);
 * }
 *
 * @Override
 * public void writable(Connection connection) {
 *     while (sent < pieces && connection.isWritable()) { // false: writable is called when there is room
 *         connection.write(ByteBuffer.wrap(new byte[64 << 10]));
 *         sent++;
 *     }
 *     if (sent == pieces) {
 *         connection.whenWritten((own, failure) -> own.close()); // the kernel has taken all pieces
 *     }
 * }
 * }</pre>
 *
 * <p>What a handler writes is sent in order. {@link org.cabrank.stream.Connection#sendFile} sends a part of a file between writes,
 * and {@link org.cabrank.stream.Connection#whenWritten} tells when the kernel has taken everything before it:
 *
 * <pre>{@code
 * connection.write(header);
 * connection.sendFile(file, 0, length);
 * connection.whenWritten((own, failure) -> own.close());
 * }</pre>
 *
 * <p>A drain calls the handler when nothing is under way:
 *
 * <pre>{@code
 * @Override
 * public void draining(Connection connection) {
 *     connection.write(ByteBuffer.wrap(new byte[] {'b', 'y', 'e'}));
 *     connection.close();
 * }
 * }</pre>
 *
 * <p>{@link org.cabrank.stream.BlockingHandlers} run a task with blocking calls for each connection, best in a virtual thread:
 *
 * <pre>{@code
 * return BlockingHandlers.of(virtualThreads, connection -> {
 *     ByteBuffer request = ByteBuffer.allocate(1024);
 *     while (connection.read(request) >= 0) { // parks the virtual thread, and no thread of the pool
 *         connection.write(request.flip());
 *         request.clear();
 *     }
 * });
 * }</pre>
 *
 * <p>Durations that the service records appear beside those of the pools:
 *
 * <pre>{@code
 * LatencyHistogram queries = reactor.histogram("query"); // shown over JMX beside the pools
 * return (connection, data) -> {
 *     long startNs = System.nanoTime();
 *     connection.write(data);
 *     queries.recordSince(startNs);
 * };
 * }</pre>
 *
 * <p>Connections of Unix sockets know the process at the other end, and pass descriptors:
 *
 * <pre>{@code
 * ListenOptions passing = ListenOptions.DEFAULT.withDescriptorsMax(1);
 * ...
 * @Override
 * public void opened(Connection connection) throws IOException {
 *     if (connection.peerCredentials().uid() == ownUid) {
 *         connection.writeDescriptors(ByteBuffer.wrap(new byte[] {'L'}), listeningSocket);
 *     }
 *     connection.close();
 * }
 * }</pre>
 *
 * <p>The other side calls {@link org.cabrank.stream.Connection#takeDescriptor} when it is given the byte, and serves the socket with
 * {@link org.cabrank.stream.StreamReactor#listen(int, org.cabrank.stream.ListenOptions, java.util.function.Supplier)}.
 *
 * <p>Stability: stable, but for the canonical constructors of records, which get components.
 */
package org.cabrank.stream;
