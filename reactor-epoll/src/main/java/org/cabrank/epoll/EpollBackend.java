package org.cabrank.epoll;

import java.io.IOException;
import org.cabrank.kernel.Kernel;
import org.cabrank.socket.transport.SocketBackend;
import org.cabrank.stream.StreamSettings;

/** Shards over epoll. */
final class EpollBackend extends SocketBackend {
    /** @throws IOException when the process may have no more descriptors */
    EpollBackend(Kernel kernel, StreamSettings settings) throws IOException {
        super(kernel, settings, () -> EpollShard.open(kernel, settings));
    }

    @Override
    public String name() {
        return EpollBackendProvider.NAME;
    }

    @Override
    public String description() {
        return EpollBackendProvider.NAME + ", " + kernel().name();
    }
}
