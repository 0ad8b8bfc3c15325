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

/** The shards of a reactor with one kind of kernel calls, such as epoll or io_uring. */
public interface StreamBackend extends AutoCloseable {

    String name();

    String description();

    List<StreamShard> shards();

    /** Listens in every shard. For {@link SuppliedHandlers} the kernel is not asked for addresses. An exception names a remedy. */
    Listener listen(SocketAddress address, ListenOptions options, ConnectionAcceptor acceptor) throws IOException;

    Listener listen(int fd, ListenOptions options, ConnectionAcceptor acceptor) throws IOException;

    /**
     * Opens a file whose ranges and requests the backend serves, without a copy and without a thread if possible. If the
     * result is null, the JDK opens the file. {@code threads} starts the threads for requests, or returns the executor of the user.
     */
    default ReactorFile openFile(Path path, Set<OpenOption> options, Supplier<Executor> threads) throws IOException {
        return null;
    }

    /** Called only after the pools of all shards have ended. */
    @Override
    void close();
}
