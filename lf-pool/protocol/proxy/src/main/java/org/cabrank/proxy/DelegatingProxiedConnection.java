package org.cabrank.proxy;

import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.cabrank.lf.handle.CancellableWork;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.WriteCompletion;
import org.cabrank.stream.transport.DecoratedConnection;

final class DelegatingProxiedConnection extends DecoratedConnection implements ProxiedConnection {
    private final ProxyHeaderHandler handler;
    private final Connection connection;
    private final Optional<ProxyHeader> header;

    /** Null if there is no header, or if the header has no address. The peer then counts as the client. */
    private final SocketAddress client;

    DelegatingProxiedConnection(ProxyHeaderHandler handler, Connection connection, ProxyHeader header) {
        super(connection);
        this.handler = handler;
        this.connection = connection;
        this.header = Optional.ofNullable(header);
        this.client = header == null ? null : header.source().orElse(null);
    }

    @Override
    public SocketAddress remoteAddress() {
        return client == null ? connection.remoteAddress() : client;
    }

    @Override
    public SocketAddress proxyAddress() {
        return connection.remoteAddress();
    }

    @Override
    public Optional<ProxyHeader> header() {
        return header;
    }

    @Override
    public ConnectionHandler replaceHandler(ConnectionHandler next) {
        return handler.replaceHandler(connection, next);
    }

    @Override
    public <T> void offload(
            Executor executor, Callable<? extends T> work, ConnectionContinuation<? super T> continuation) {
        connection.offload(executor, work, forThis(continuation));
    }

    @Override
    public <T> void offload(
            Executor executor, CancellableWork<? extends T> work, ConnectionContinuation<? super T> continuation) {
        connection.offload(executor, work, forThis(continuation));
    }

    private <T> ConnectionContinuation<T> forThis(ConnectionContinuation<T> continuation) {
        Objects.requireNonNull(continuation, "continuation");
        return new ConnectionContinuation<>() {
            @Override
            public void resume(Connection delegate, T result) throws Exception {
                continuation.resume(DelegatingProxiedConnection.this, result);
            }

            @Override
            public void failed(Connection delegate, Throwable failure) throws Exception {
                continuation.failed(DelegatingProxiedConnection.this, failure);
            }
        };
    }

    @Override
    public void whenWritten(WriteCompletion completion) {
        Objects.requireNonNull(completion, "completion");
        connection.whenWritten((delegate, failure) -> completion.completed(this, failure));
    }

    @Override
    public String toString() {
        return client == null ? connection.toString() : connection + " for " + client;
    }
}
