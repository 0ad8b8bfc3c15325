package org.cabrank.handover;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.Listener;

/**
 * Hands the listening sockets of a service to its successor, over a Unix socket at a path. Safe for use by any thread.
 *
 * <pre>{@code
 * Handover handover = Handover.at(Path.of("/run/service/handover"));
 * try (Predecessor old = handover.predecessor()) {
 *     StreamServer.Builder builder = StreamServer.builder().handler(handlers);
 *     StreamServer server = (old == null ? builder.listen("0.0.0.0", 7000) : builder.listen(old.takeDescriptors())).start();
 *     Runtime.getRuntime().addShutdownHook(new Thread(server::close));
 *     if (old != null) {
 *         old.replace(); // the old process drains
 *     }
 *     handover.offer(server.listeners(), server::close);
 * }
 * }</pre>
 */
public final class Handover {
    private static final System.Logger LOGGER = System.getLogger(Handover.class.getName());

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private final Path path;

    private Handover(Path path) {
        this.path = path.toAbsolutePath();
    }

    /** @param path path of the Unix socket. It has at most 107 bytes. Only the service may have write access to its directory. */
    public static Handover at(Path path) {
        return new Handover(path);
    }

    /**
     * Asks the process that listens at the path for its sockets.
     *
     * @return the process. Null if no process listens at the path.
     * @throws IOException if the process refuses, does not answer within 10 s, or belongs to another user. The old process then continues
     *     to serve. The message has the cause and the remedy.
     */
    public Predecessor predecessor() throws IOException {
        Kernel kernel = Kernels.system();
        ControlSocket socket;
        try {
            socket = ControlSocket.connected(kernel, path, ANSWER_TIMEOUT);
        } catch (KernelException refused) {
            if (refused.errno() == Errno.ENOENT) {
                return null;
            }
            if (refused.errno() == Errno.ECONNREFUSED) {
                LOGGER.log(
                        Level.WARNING,
                        "no process listens at " + path
                                + ", which a former one has left behind: this one replaces the file");
                return null;
            }
            throw failed(refused, "; check who owns the path and its directory");
        }
        try {
            long user = socket.peerUser();
            if (user != Successors.ownUser() && user != 0) {
                socket.close();
                throw new IOException("the process there belongs to user " + user + "; choose a path that only this"
                        + " service may write");
            }
            return Predecessor.ask(kernel, socket);
        } catch (IOException refused) {
            throw failed(refused, "; the old process continues: end it, or try again");
        }
    }

    private IOException failed(IOException cause, String remedy) {
        return new IOException(
                "cannot take the sockets of the process at " + path + ": " + cause.getMessage() + remedy, cause);
    }

    /**
     * Offers listeners to a successor. Replaces the file at the path. A daemon thread then waits for requests.
     *
     * @param drain closes the server. It runs once, on a new thread, after a successor has begun to accept connections.
     * @return the offer. Closing it ends the offer.
     * @throws IOException if the path is unavailable. The message has the cause and the remedy.
     */
    public Successors offer(List<Listener> listeners, Runnable drain) throws IOException {
        List<Listener> offered = List.copyOf(listeners);
        return offer(
                new OfferedSockets() {
                    @Override
                    public List<HandedListener> share() throws IOException {
                        return Successors.share(Kernels.system(), offered);
                    }

                    @Override
                    public void unshare() {
                        offered.forEach(Listener::unshare);
                    }
                },
                drain);
    }

    /**
     * Like {@link #offer(List, Runnable)}, but for sockets without a {@link Listener}, such as the sockets of Netty channels.
     *
     * @param duplicates called for each successor. Returns duplicates of the descriptors, which are closed after they were passed.
     */
    public Successors offer(Supplier<List<HandedListener>> duplicates, Runnable drain) throws IOException {
        Objects.requireNonNull(duplicates, "duplicates");
        return offer((OfferedSockets) duplicates::get, drain);
    }

    private Successors offer(OfferedSockets offered, Runnable drain) throws IOException {
        Objects.requireNonNull(drain, "drain");
        return Successors.await(Kernels.system(), path, offered, drain);
    }

    static void requireDirectory(Path path) throws IOException {
        Path directory = path.getParent();
        if (!Files.isDirectory(directory)) {
            throw new IOException("there is no directory " + directory + "; make it, writable for this service alone");
        }
    }
}
