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

/** The shards of a reactor over one interface of the kernel. */
public interface StreamBackend extends AutoCloseable {

    String name();

    String description();

    List<StreamShard> shards();

    /** Listens in every shard; {@link SuppliedHandlers} ask for no addresses. An exception names call, errno, address and remedy. */
    Listener listen(SocketAddress address, ListenOptions options, ConnectionAcceptor acceptor) throws IOException;

    Listener listen(int fd, ListenOptions options, ConnectionAcceptor acceptor) throws IOException;

    /**
     * Opens a file whose ranges the backend sends and whose requests it carries out, without a copy and without a thread as far as
     * possible. Returns null if the backend has no files of its own: the JDK then opens the file. {@code threads} starts the threads that
     * carry out requests, or returns the executor of the user.
     */
    default ReactorFile openFile(Path path, Set<OpenOption> options, Supplier<Executor> threads) throws IOException {
        return null;
    }

    /** Called only after the pools of all shards have ended. */
    @Override
    void close();
}
