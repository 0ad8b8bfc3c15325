package org.cabrank.iouring;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Kernel;
import org.cabrank.socket.transport.OpenFile;
import org.cabrank.socket.transport.SocketBackend;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.transport.StreamSettings;

/** Shards over io_uring. */
final class RingBackend extends SocketBackend {
    RingBackend(Kernel kernel, StreamSettings settings, RingOptions options) throws IOException {
        super(kernel, settings, () -> RingShard.open(kernel, settings, options));
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
