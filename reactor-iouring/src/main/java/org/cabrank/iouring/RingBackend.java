package org.cabrank.iouring;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Kernel;
import org.cabrank.socket.transport.OpenFile;
import org.cabrank.socket.transport.SocketBackend;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamSettings;

/** Shards over io_uring. */
final class RingBackend extends SocketBackend {
    /** @throws IOException if io_uring is unavailable, with cause and remedy, or no more descriptors are */
    RingBackend(Kernel kernel, StreamSettings settings, RingOptions options) throws IOException {
        super(kernel, settings, new Shards(kernel, settings, options)::open);
    }

    /** Makes one shard after the other; with {@link RingOptions#sqPollShared} all share the kernel thread of the first. */
    private static final class Shards {
        private final Kernel kernel;
        private final StreamSettings settings;
        private final RingOptions options;

        /** Null until there is one, and where each has a thread of its own or none. */
        private Ring polledWith;

        Shards(Kernel kernel, StreamSettings settings, RingOptions options) {
            this.kernel = kernel;
            this.settings = settings;
            this.options = options;
        }

        RingShard open() throws IOException {
            RingShard shard = RingShard.open(kernel, settings, options, polledWith);
            if (options.sqPollShared() && polledWith == null) {
                polledWith = shard.handleSet().ring();
            }
            return shard;
        }
    }

    @Override
    protected ReactorFile newFile(OpenFile opened, Supplier<Executor> threads) {
        return new RingFile(opened);
    }

    @Override
    public String name() {
        return IoUringBackendProvider.NAME;
    }

    @Override
    public String description() {
        return IoUringBackendProvider.NAME + ", " + kernel().name() + ", "
                + ((RingShard) shards().get(0)).handleSet().description();
    }
}
