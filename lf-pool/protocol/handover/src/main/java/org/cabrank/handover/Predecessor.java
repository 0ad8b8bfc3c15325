package org.cabrank.handover;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;

/** The old process, from which this process takes the listening sockets. {@link #replace} makes the old process end. Not thread-safe. */
public final class Predecessor implements AutoCloseable {
    private final Kernel kernel;
    private final ControlSocket socket;
    private final List<HandedListener> listeners;
    private final Set<HandedListener> taken = new HashSet<>();
    private boolean closed;

    private Predecessor(Kernel kernel, ControlSocket socket, List<HandedListener> listeners) {
        this.kernel = kernel;
        this.socket = socket;
        this.listeners = List.copyOf(listeners);
    }

    /** Closes {@code socket} if the request fails. */
    static Predecessor ask(Kernel kernel, ControlSocket socket) throws IOException {
        List<HandedListener> listeners = new ArrayList<>();
        try {
            socket.send(HandoverMessages.TAKE);
            ControlSocket.Message message = socket.receive();
            while (message.text().startsWith(HandoverMessages.LISTENER)) {
                listeners.add(new HandedListener(
                        message.text().substring(HandoverMessages.LISTENER.length()), message.descriptors()));
                message = socket.receive();
            }
            message.close(kernel);
            if (!message.text().equals(HandoverMessages.END)) {
                throw new IOException("the old process refuses: " + HandoverMessages.reason(message.text()));
            }
            return new Predecessor(kernel, socket, listeners);
        } catch (Throwable refused) {
            close(kernel, listeners);
            socket.close();
            throw refused;
        }
    }

    static void close(Kernel kernel, List<HandedListener> listeners) {
        for (HandedListener listener : listeners) {
            for (int fd : listener.descriptors()) {
                kernel.close(fd);
            }
        }
    }

    /** Returns the listeners of the old process, at least one. */
    public List<HandedListener> listeners() {
        return listeners;
    }

    /**
     * Takes all descriptors that were not taken before, for {@link org.cabrank.stream.StreamServer.Builder#listen(int...)}. The caller then
     * owns them, and {@link #close} does not close them.
     */
    public int[] takeDescriptors() {
        return listeners.stream()
                .filter(listener -> !taken.contains(listener))
                .flatMapToInt(listener -> Arrays.stream(takeDescriptors(listener)))
                .toArray();
    }

    /**
     * Takes the descriptors of one of {@link #listeners}. The caller then owns the descriptors.
     *
     * @throws IllegalArgumentException if {@code listener} is not in {@link #listeners}, or if its descriptors were taken before
     */
    public int[] takeDescriptors(HandedListener listener) {
        if (!listeners.contains(listener) || !taken.add(listener)) {
            throw new IllegalArgumentException(listener.address() + " is no listener of the old process, or was taken");
        }
        return listener.descriptors();
    }

    /**
     * Makes the old process drain and end. Call this after this process has begun to accept connections and can handle SIGTERM. Returns
     * when the old process has given up the path and is about to drain.
     *
     * @return false if the old process has already ended. The taken sockets remain valid.
     * @throws IOException if the old process refuses or does not answer. It may then continue to accept connections.
     */
    public boolean replace() throws IOException {
        try {
            socket.send(HandoverMessages.READY);
            ControlSocket.Message message = socket.receive();
            message.close(kernel);
            if (message.text().equals(HandoverMessages.LEFT)) {
                return true;
            }
            throw new IOException("the old process does not leave: " + HandoverMessages.reason(message.text()));
        } catch (EOFException ended) {
            return false;
        } catch (KernelException refused) {
            if (HandoverMessages.isGone(refused.errno())) {
                return false;
            }
            throw refused;
        } finally {
            close();
        }
    }

    /** Closes the descriptors that were not taken. If {@link #replace} was not called, the old process continues to serve. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            socket.close();
            close(
                    kernel,
                    listeners.stream()
                            .filter(listener -> !taken.contains(listener))
                            .toList());
        }
    }
}
