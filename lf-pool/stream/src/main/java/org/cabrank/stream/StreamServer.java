package org.cabrank.stream;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.cabrank.lf.observe.Liveness;

/** A {@link StreamReactor} that serves one or several addresses with the same handlers. Most services need only this class. */
public final class StreamServer implements AutoCloseable {
    private final StreamReactor reactor;
    private final List<Listener> listeners;

    private StreamServer(StreamReactor reactor, List<Listener> listeners) {
        this.reactor = reactor;
        this.listeners = List.copyOf(listeners);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The first listening address, with the port that the kernel chose. */
    public SocketAddress localAddress() {
        return listener().address();
    }

    /** Listening port of the server. Throws {@link IllegalStateException} at a Unix address. */
    public int port() {
        if (localAddress() instanceof InetSocketAddress inet) {
            return inet.getPort();
        }
        throw new IllegalStateException(localAddress() + " has no port");
    }

    /** The first listener. It can pause accepting, has counters, and can be closed before the connections of the server end. */
    public Listener listener() {
        return listeners.get(0);
    }

    /** The listeners, in the order of the calls of {@link Builder#listen(SocketAddress)} and its variants. There is at least one. */
    public List<Listener> listeners() {
        return listeners;
    }

    public StreamReactor reactor() {
        return reactor;
    }

    public String backendName() {
        return reactor.backendName();
    }

    /** See {@link StreamReactor#awaitTermination}. */
    public void awaitTermination() throws InterruptedException {
        reactor.awaitTermination();
    }

    /** See {@link StreamReactor#failure}. */
    public ReactorFailedException failure() {
        return reactor.failure();
    }

    /** See {@link StreamReactor#liveness}. */
    public Liveness liveness(Duration limit) {
        return reactor.liveness(limit);
    }

    /** See {@link StreamReactor#close}. */
    @Override
    public void close() {
        reactor.close();
    }

    private interface ListenerFactory {
        Listener listen(StreamReactor started, Supplier<ConnectionHandler> handlers) throws IOException;
    }

    /** Builder of a server. The listeners have the options of {@link ListenOptions}, with the same defaults. */
    public static final class Builder extends ReactorBuilder<Builder> {
        private final List<ListenerFactory> places = new ArrayList<>();
        private ListenOptions options = ListenOptions.DEFAULT;
        private Supplier<ConnectionHandler> handlers;

        private Builder() {}

        /** @param port from 0 to 65,535. With 0 the kernel chooses the port, and {@link StreamServer#port} returns it */
        public Builder listen(String host, int port) {
            Objects.requireNonNull(host, "host");
            try {
                return listen(new InetSocketAddress(InetAddress.getByName(host), port));
            } catch (UnknownHostException unknown) {
                throw new IllegalArgumentException("there is no host '" + host + "'", unknown);
            }
        }

        /** Listens at a further address, TCP ({@link InetSocketAddress}) or Unix ({@link java.net.UnixDomainSocketAddress}). */
        public Builder listen(SocketAddress wanted) {
            Objects.requireNonNull(wanted, "address");
            places.add((started, supplier) -> started.listen(wanted, options, supplier));
            return this;
        }

        /**
         * Listens with sockets that another program has opened, such as systemd: see {@link StreamReactor#listen(int, ListenOptions,
         * Supplier)}. If {@code start} fails, only descriptors that already have a listener are closed.
         */
        public Builder listen(int... fds) {
            Objects.requireNonNull(fds, "fds");
            for (int fd : fds) {
                places.add((started, supplier) -> started.listen(fd, options, supplier));
            }
            return this;
        }

        public Builder backlog(int connections) {
            options = options.withBacklog(connections);
            return this;
        }

        public Builder accept(AcceptMode mode) {
            options = options.withAcceptMode(mode);
            return this;
        }

        public Builder connectionsMax(int count) {
            options = options.withConnectionsMax(count);
            return this;
        }

        public Builder connectionsPerPeerMax(int count) {
            options = options.withConnectionsPerPeerMax(count);
            return this;
        }

        public Builder acceptRate(AcceptRate rate) {
            options = options.withAcceptRate(rate);
            return this;
        }

        public Builder socketOptions(SocketOptions ofListener) {
            options = options.withSocketOptions(ofListener);
            return this;
        }

        public Builder acceptedOptions(SocketOptions ofConnections) {
            options = options.withAcceptedOptions(ofConnections);
            return this;
        }

        /** Sets the supplier of the connections' handlers. The supplier may return the same handler each time. */
        public Builder handler(Supplier<ConnectionHandler> supplier) {
            handlers = Objects.requireNonNull(supplier, "supplier");
            return this;
        }

        /** {@link StreamTimeouts#idle}; default never. */
        public Builder idleTimeout(Duration timeout) {
            timeouts = timeouts.withIdle(timeout);
            return this;
        }

        /** Starts the server. Throws, with a remedy, if the backend or an address is unavailable or the reactor fails during the start. */
        public StreamServer start() throws IOException {
            if (places.isEmpty()) {
                throw new NullPointerException("listen was not called");
            }
            Objects.requireNonNull(handlers, "handler was not called");
            StreamReactor started = new StreamReactor(this);
            try {
                List<Listener> listeners = new ArrayList<>();
                for (ListenerFactory place : places) {
                    listeners.add(place.listen(started, handlers));
                }
                return new StreamServer(started, listeners);
            } catch (Throwable refused) {
                ReactorFailedException failed = started.failure();
                started.close();
                if (failed != null) { // the reactor failed while it began to listen, and the refusal is a consequence
                    throw new IOException(failed.getMessage(), failed);
                }
                throw refused;
            }
        }
    }
}
