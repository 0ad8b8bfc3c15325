/**
 * Stream servers, connections and their handlers, on whichever backend.
 *
 * <p>A service gives a {@link org.cabrank.stream.StreamServer} an address and a supplier of handlers. The server makes a handler
 * for each connection, calls it with the bytes that have been received, and sends the bytes that the handler writes:
 *
 * <pre>{@code
 * try (StreamServer server = StreamServer.builder()
 *         .listen("127.0.0.1", 7000)
 *         .threadsPerShard(3)
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
 * <p>Connections of Unix sockets know the process at the other end, and pass descriptors:
 *
 * <pre>{@code
 * ListenOptions passing = ListenOptions.DEFAULT.withDescriptorsMax(1);
 * reactor.listen(new AbstractUnixAddress("handover"), passing, () -> new ConnectionHandler() {
 *     public void opened(Connection connection) throws IOException {
 *         if (connection.peerCredentials().uid() == ownUid) {
 *             connection.writeDescriptors(ByteBuffer.wrap(new byte[] {'L'}), listeningSocket);
 *         }
 *         connection.close();
 *     }
 * });
 * }</pre>
 *
 * <p>The other side calls {@link org.cabrank.stream.Connection#takeDescriptor} when it is given the byte, and serves the socket with
 * {@link org.cabrank.stream.StreamReactor#listen(int, org.cabrank.stream.ListenOptions, java.util.function.Supplier)}.
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
 * <p>The calls for one connection come one at a time and in order, on whichever thread of its shard leads. Methods of
 * {@link org.cabrank.stream.Connection} may be called by any thread. A handler that blocks does not stop other handlers if its
 * shard has several threads; {@link org.cabrank.stream.Connection#offload} hands slow work to an executor.
 * {@link org.cabrank.stream.BlockingHandlers} run a task with blocking calls for each connection, best in a virtual thread.
 *
 * <p>Stability: stable, but for the canonical constructors of records, which get components.
 */
package org.cabrank.stream;
