package org.cabrank.stream;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The listeners of a reactor that are not closed. Any thread. */
final class OpenListeners {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /** Keeps a listener until it is closed. Returns the listener. */
    Listener add(Listener listener) {
        listeners.add(listener);
        listener.closed().thenRun(() -> listeners.remove(listener));
        return listener;
    }

    /** Returns a snapshot, in the order of {@link #add}. */
    List<Listener> list() {
        return List.copyOf(listeners);
    }
}
