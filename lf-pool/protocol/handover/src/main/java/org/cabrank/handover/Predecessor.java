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

/** The old process, whose sockets this process takes ({@link Handover#predecessor}) and which {@link #replace} ends. One thread. */
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

    /** Asks the process to which {@code socket} is connected for its listening sockets. Closes {@code socket} if it throws. */
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
     * Takes the descriptors that were not taken before, for {@link org.cabrank.stream.StreamServer.Builder#listen(int...)}. The caller owns
     * them from now on: {@link #close} leaves them open.
     */
    public int[] takeDescriptors() {
        return listeners.stream()
                .filter(listener -> !taken.contains(listener))
                .flatMapToInt(listener -> Arrays.stream(takeDescriptors(listener)))
                .toArray();
    }

    /**
     * Takes the descriptors of one of {@link #listeners}, as {@link #takeDescriptors()} does.
     *
     * @throws IllegalArgumentException if the listener is not one of {@link #listeners}, or was taken before
     */
    public int[] takeDescriptors(HandedListener listener) {
        if (!listeners.contains(listener) || !taken.add(listener)) {
            throw new IllegalArgumentException(listener.address() + " is no listener of the old process, or was taken");
        }
        return listener.descriptors();
    }

    /**
     * Has the old process drain and end. Call this when this process accepts connections and can itself be asked to end. Returns when the
     * old process has given up the path and is about to drain.
     *
     * @return false if the old process has ended by itself; this process still has the taken sockets
     * @throws IOException if the old process refuses or does not answer; the old process may then continue to accept
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

    /** Ends the connection, and closes descriptors that were not taken. Without a {@link #replace}, the old process continues. */
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
