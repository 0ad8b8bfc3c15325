package org.cabrank.stream.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.cabrank.stream.ConnectionAcceptor;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ReactorFile;

/** The shards of a reactor over one way of asking the kernel. */
public interface StreamBackend extends AutoCloseable {

    /** Name that {@link org.cabrank.stream.Backend#named} accepts. */
    String name();

    /** Description for reports: for instance {@code epoll, panama}. */
    String description();

    List<StreamShard> shards();

    /**
     * Listens in every shard.
     *
     * @param acceptor makes the handler of each connection, or refuses the connection; {@link SuppliedHandlers} needs no addresses
     * @throws IOException with a message that names the call, the errno, the address and the remedy
     */
    Listener listen(SocketAddress address, ListenOptions options, ConnectionAcceptor acceptor) throws IOException;

    /**
     * Listens in every shard with a socket that this process has been given.
     *
     * @param fd see {@link org.cabrank.stream.StreamReactor#listen(int, ListenOptions, java.util.function.Supplier)}
     * @throws IOException as above; the caller keeps the descriptor then
     */
    Listener listen(int fd, ListenOptions options, ConnectionAcceptor acceptor) throws IOException;

    /**
     * Opens a file whose ranges the backend sends and whose requests the backend carries out, without a copy and without a thread as
     * far as possible; null where the backend has no files of its own, and the JDK opens the file.
     *
     * @param options of {@link java.nio.file.StandardOpenOption}, which go together
     * @param threads starts the threads that carry out requests, or returns the executor of the user
     */
    default ReactorFile openFile(Path path, Set<OpenOption> options, Supplier<Executor> threads) throws IOException {
        return null;
    }

    /** Frees everything. Called only after the pools of all shards have ended. */
    @Override
    void close();
}
