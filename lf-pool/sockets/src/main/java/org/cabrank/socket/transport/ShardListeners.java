package org.cabrank.socket.transport;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ListenerCounters;

/** The listeners of all shards at one address, as the one listener that a service sees. */
final class ShardListeners implements Listener {
    private final SocketAddress address;
    private final ListenOptions options;
    private final ListenerState state;
    private final List<SocketListener> listeners;

    ShardListeners(SocketAddress address, ListenOptions options, ListenerState state, List<SocketListener> listeners) {
        this.address = address;
        this.options = options;
        this.state = state;
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
