package org.cabrank.socket.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ListenerCounters;
import org.cabrank.stream.transport.ConnectionTerms;
import org.cabrank.stream.transport.StandingConnections;

final class ShardListeners implements Listener {
    private final SocketAddress address;
    private final ListenOptions options;
    private final ListenerState state;
    private final ConnectionTerms terms;
    private final List<SocketShard> shards;
    private final List<SocketListener> listeners;

    ShardListeners(
            SocketAddress address,
            ListenOptions options,
            Accepting accepting,
            List<SocketShard> shards,
            List<SocketListener> listeners) {
        this.address = address;
        this.options = options;
        this.state = accepting.state();
        this.terms = accepting.terms();
        this.shards = shards;
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public SocketAddress address() {
        return address;
    }

    @Override
    public ListenOptions options() {
        return options;
    }

    @Override
    public void pause() {
        state.paused(true);
        listeners.forEach(SocketListener::pauseChanged);
    }

    @Override
    public void resume() {
        state.paused(false);
        listeners.forEach(SocketListener::pauseChanged);
    }

    @Override
    public boolean isPaused() {
        return state.isPaused();
    }

    @Override
    public ListenerCounters counters() {
        return state.counters();
    }

    @Override
    public int[] share() throws IOException {
        int[] shared = new int[listeners.size()];
        int count = 0;
        try {
            for (ListeningSocket socket : sockets()) {
                shared[count] = socket.share();
                count++;
            }
            return Arrays.copyOf(shared, count);
        } catch (IOException refused) {
            for (int i = 0; i < count; i++) {
                shards.get(0).kernel().close(shared[i]);
            }
            unshare();
            throw refused;
        }
    }

    @Override
    public void unshare() {
        sockets().forEach(ListeningSocket::unshare);
    }

    private Set<ListeningSocket> sockets() {
        return listeners.stream().map(SocketListener::socket).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Override
    public List<Connection> connections() {
        return StandingConnections.of(shards, terms);
    }

    @Override
    public int closeConnections(Predicate<? super Connection> which) {
        return StandingConnections.close(connections(), which);
    }

    @Override
    public void close() {
        listeners.forEach(SocketListener::drain);
    }

    @Override
    public CompletableFuture<Void> closed() {
        return state.closed();
    }

    @Override
    public String toString() {
        return "listener at " + address;
    }
}
