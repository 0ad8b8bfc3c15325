package org.cabrank.socket.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.FileSystems;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.cabrank.kernel.Kernel;
import org.cabrank.stream.ConnectionAcceptor;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.transport.ConnectionQuota;
import org.cabrank.stream.transport.ConnectionTerms;
import org.cabrank.stream.transport.ReactorTotals;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;
import org.cabrank.stream.transport.StreamShard;

/** Shards over descriptor sets of one kind. */
public abstract class SocketBackend implements StreamBackend {
    private final Kernel kernel;
    private final List<SocketShard> shards;
    private final SharedListening listening;
    private final StreamTimeouts timeouts;
    private final ReactorTotals totals;

    /** Makes one shard. Called on a thread that is placed like the shard's threads. */
    @FunctionalInterface
    public interface ShardFactory {
        SocketShard open() throws IOException;
    }

    /** @throws IOException if a shard is unavailable. The shards that were made before are then closed */
    protected SocketBackend(Kernel kernel, StreamSettings settings, ShardFactory factory) throws IOException {
        this.kernel = kernel;
        this.timeouts = settings.timeouts();
        this.totals = new ReactorTotals(
                settings.limits(), ConnectionDescriptors.available(kernel, settings.limits()), settings.shards());
        List<SocketShard> made = new ArrayList<>();
        try {
            for (int i = 0; i < settings.shards(); i++) {
                made.add(settings.placement().make(i, factory::open));
            }
            this.shards = List.copyOf(made);
            AcceptPauses pauses = new AcceptPauses();
            for (int i = 0; i < shards.size(); i++) {
                shards.get(i).join(shards, i, pauses, totals);
            }
            this.listening = new SharedListening(kernel, shards, settings.placement());
        } catch (Throwable refused) { // even an error, because the made shards must be closed
            made.forEach(SocketShard::close);
            throw refused;
        }
    }

    protected final Kernel kernel() {
        return kernel;
    }

    @Override
    public final List<StreamShard> shards() {
        return List.copyOf(shards);
    }

    @Override
    public final Listener listen(SocketAddress address, ListenOptions options, ConnectionAcceptor acceptor)
            throws IOException {
        return listening.listen(address, options, accepting(options, acceptor));
    }

    @Override
    public final Listener listen(int fd, ListenOptions options, ConnectionAcceptor acceptor) throws IOException {
        return listening.listen(fd, options, accepting(options, acceptor));
    }

    private Accepting accepting(ListenOptions options, ConnectionAcceptor acceptor) {
        StreamTimeouts wanted = options.timeouts() != null ? options.timeouts() : timeouts;
        return new Accepting(
                acceptor,
                ConnectionTerms.of(wanted, ConnectionQuota.of(options, totals.connections()), options.descriptorsMax()),
                AcceptTokens.of(options.acceptRate(), shards.get(0).handleSet().nanoTime()));
    }

    /** Opens a file of the default file system, whose files have descriptors. Returns null for other file systems. */
    @Override
    public final ReactorFile openFile(Path path, Set<OpenOption> options, Supplier<Executor> threads)
            throws IOException {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            return null;
        }
        OpenFile opened = OpenFile.open(kernel, path, options);
        boolean made = false;
        try {
            ReactorFile file = newFile(opened, threads);
            made = true;
            return file;
        } finally {
            if (!made) { // there was no memory or no thread for the file
                opened.close();
            }
        }
    }

    /** Returns a file whose requests are executed by threads, unless a backend overrides this to execute them itself. */
    protected ReactorFile newFile(OpenFile opened, Supplier<Executor> threads) {
        return new DescriptorFile(opened, threads.get());
    }

    @Override
    public final void close() {
        shards.forEach(SocketShard::close);
    }
}
