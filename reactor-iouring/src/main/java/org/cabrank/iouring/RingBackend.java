package org.cabrank.iouring;

import java.io.IOException;
import org.cabrank.descriptor.spi.SocketBackend;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.stream.StreamSettings;

/** Shards over io_uring. */
final class RingBackend extends SocketBackend {
    /** @throws IOException when there is no io_uring to be had, with reason and remedy, or no more descriptors */
    RingBackend(Kernel kernel, StreamSettings settings, RingOptions options) throws IOException {
        super(kernel, settings, () -> RingShard.open(kernel, settings, options));
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
