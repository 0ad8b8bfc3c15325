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
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.Waiting;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.lf.observe.Liveness;

/** A {@link StreamReactor} that serves the connections of one address, or of several, in the same way: what most services need. */
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

    /** The port where it listens. @throws IllegalStateException when it listens at a Unix address */
    public int port() {
        if (localAddress() instanceof InetSocketAddress inet) {
            return inet.getPort();
        }
        throw new IllegalStateException(localAddress() + " has no port");
    }

    /** The first listener: pauses and resumes accepting, counts, and can be closed before the server's connections end. */
    public Listener listener() {
        return listeners.get(0);
    }

    /** The listeners, in the order of the calls of {@link Builder#listen(SocketAddress)} and its variants; at least one. */
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

    /** An address or a descriptor to listen at. */
    private interface ListeningPlace {
        Listener listen(StreamReactor started, Supplier<ConnectionHandler> handlers) throws IOException;
    }

    /** See {@link StreamReactor.Builder} for what is not said here. */
    public static final class Builder {
        private final StreamReactor.Builder reactor = StreamReactor.builder();
        private final List<ListeningPlace> places = new ArrayList<>();
        private ListenOptions options = ListenOptions.DEFAULT;
        private Supplier<ConnectionHandler> handlers;
        private StreamTimeouts timeouts = StreamTimeouts.DEFAULT;

        private Builder() {}

        /** @param port from 0 to 65,535; 0: the kernel chooses, {@link StreamServer#port} tells */
        public Builder listen(String host, int port) {
            Objects.requireNonNull(host, "host");
            try {
                return listen(new InetSocketAddress(InetAddress.getByName(host), port));
            } catch (UnknownHostException unknown) {
                throw new IllegalArgumentException("there is no host '" + host + "'", unknown);
            }
        }

        /**
         * Listens at a TCP ({@link InetSocketAddress}) or Unix ({@link java.net.UnixDomainSocketAddress}) address. Each further call of
         * {@code listen} adds an address.
         */
        public Builder listen(SocketAddress wanted) {
            Objects.requireNonNull(wanted, "address");
            places.add((started, supplier) -> started.listen(wanted, options, supplier));
            return this;
        }

        /**
         * Listens with sockets that another program has opened, such as systemd: see {@link StreamReactor#listen(int, ListenOptions,
         * Supplier)}. The server owns the descriptors of which {@link #start} has made listeners; if {@code start} fails, these are
         * closed, and the caller keeps the descriptors of which no listener was made.
         */
        public Builder listen(int... fds) {
            for (int fd : fds) {
                places.add((started, supplier) -> started.listen(fd, options, supplier));
            }
            return this;
        }

        /** Connections that the kernel holds until they are accepted; default 4,096. */
        public Builder backlog(int connections) {
            options = options.withBacklog(connections);
            return this;
        }

        public Builder accept(AcceptMode mode) {
            options = options.withAcceptMode(mode);
            return this;
        }

        /** {@link ListenOptions#connectionsMax}; default {@link ListenOptions#UNLIMITED}. */
        public Builder connectionsMax(int count) {
            options = options.withConnectionsMax(count);
            return this;
        }

        /** {@link ListenOptions#connectionsPerPeerMax}; default {@link ListenOptions#UNLIMITED}. */
        public Builder connectionsPerPeerMax(int count) {
            options = options.withConnectionsPerPeerMax(count);
            return this;
        }

        /** {@link ListenOptions#acceptRate}; default {@link AcceptRate#UNLIMITED}. */
        public Builder acceptRate(AcceptRate rate) {
            options = options.withAcceptRate(rate);
            return this;
        }

        /** {@link ListenOptions#socketOptions}; default {@link SocketOptions#NONE}. */
        public Builder socketOptions(SocketOptions ofListener) {
            options = options.withSocketOptions(ofListener);
            return this;
        }

        /** {@link ListenOptions#acceptedOptions}; default {@link SocketOptions#NONE}. */
        public Builder acceptedOptions(SocketOptions ofConnections) {
            options = options.withAcceptedOptions(ofConnections);
            return this;
        }

        /** Makes the handler of each connection; it may answer the same one each time. */
        public Builder handler(Supplier<ConnectionHandler> supplier) {
            handlers = Objects.requireNonNull(supplier, "supplier");
            return this;
        }

        public Builder name(String prefix) {
            reactor.name(prefix);
            return this;
        }

        public Builder backend(Backend wanted) {
            reactor.backend(wanted);
            return this;
        }

        /** {@link StreamReactor.Builder#shards}; default 1, or as many as the placement chooses. */
        public Builder shards(int count) {
            reactor.shards(count);
            return this;
        }

        public Builder threadsPerShard(int count) {
            reactor.threadsPerShard(count);
            return this;
        }

        public Builder sharedThreads(int count) {
            reactor.sharedThreads(count);
            return this;
        }

        public Builder promotion(Promotion policy) {
            reactor.promotion(policy);
            return this;
        }

        public Builder order(PromotionOrder wanted) {
            reactor.order(wanted);
            return this;
        }

        public Builder waiting(Waiting strategy) {
            reactor.waiting(strategy);
            return this;
        }

        /** Sets the executor of file requests: {@link StreamReactor.Builder#fileExecutor}. */
        public Builder fileExecutor(Executor executor) {
            reactor.fileExecutor(executor);
            return this;
        }

        public Builder threadFactory(ThreadFactory factory) {
            reactor.threadFactory(factory);
            return this;
        }

        public Builder nestingMax(int waits) {
            reactor.nestingMax(waits);
            return this;
        }

        public Builder deactivation(Deactivation wanted) {
            reactor.deactivation(wanted);
            return this;
        }

        /** {@link StreamReactor.Builder#placement}; default {@link ThreadPlacement#NONE}. */
        public Builder placement(ThreadPlacement wanted) {
            reactor.placement(wanted);
            return this;
        }

        public Builder limits(StreamLimits wanted) {
            reactor.limits(wanted);
            return this;
        }

        public Builder timeouts(StreamTimeouts wanted) {
            timeouts = Objects.requireNonNull(wanted, "wanted");
            return this;
        }

        /** {@link StreamTimeouts#idle}; default never. */
        public Builder idleTimeout(Duration timeout) {
            timeouts = timeouts.withIdle(timeout);
            return this;
        }

        /** See {@link StreamReactor.Builder#drainGrace}; default 0. */
        public Builder drainGrace(Duration time) {
            reactor.drainGrace(time);
            return this;
        }

        public Builder drainTimeout(Duration timeout) {
            reactor.drainTimeout(timeout);
            return this;
        }

        /** See {@link StreamReactor.Builder#handlerTimeout}; default 5 s. */
        public Builder handlerTimeout(Duration timeout) {
            reactor.handlerTimeout(timeout);
            return this;
        }

        public Builder watchdog(Duration limit) {
            reactor.watchdog(limit);
            return this;
        }

        public Builder jmx(boolean shown) {
            reactor.jmx(shown);
            return this;
        }

        public Builder onFailure(Consumer<? super ReactorFailedException> listener) {
            reactor.onFailure(listener);
            return this;
        }

        public Builder latencyMeasured(boolean wanted) {
            reactor.latencyMeasured(wanted);
            return this;
        }

        /** Adds a histogram of the service: {@link StreamReactor.Builder#histogram}. */
        public Builder histogram(LatencyHistogram added) {
            reactor.histogram(added);
            return this;
        }

        /**
         * Starts and listens.
         *
         * @throws IOException if the backend or the address is unavailable, or the reactor fails before it listens, with a message that
         *     names the cause and the remedy
         */
        public StreamServer start() throws IOException {
            if (places.isEmpty()) {
                throw new NullPointerException("listen was not called");
            }
            Objects.requireNonNull(handlers, "handler was not called");
            StreamReactor started = reactor.timeouts(timeouts).start();
            try {
                List<Listener> listeners = new ArrayList<>();
                for (ListeningPlace place : places) {
                    listeners.add(place.listen(started, handlers));
                }
                return new StreamServer(started, listeners);
            } catch (Throwable refused) {
                ReactorFailedException failed = started.failure();
                started.close();
                if (failed != null) { // while it began to listen, which the refusal is a consequence of
                    throw new IOException(failed.getMessage(), failed);
                }
                throw refused;
            }
        }
    }
}
