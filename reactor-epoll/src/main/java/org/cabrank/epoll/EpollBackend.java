package org.cabrank.epoll;

import java.io.IOException;
import org.cabrank.kernel.Kernel;
import org.cabrank.socket.transport.SocketBackend;
import org.cabrank.stream.transport.StreamSettings;

final class EpollBackend extends SocketBackend {
    private final EpollOptions options;

    EpollBackend(Kernel kernel, StreamSettings settings) throws IOException {
        this(kernel, settings, EpollOptions.DEFAULT);
    }

    EpollBackend(Kernel kernel, StreamSettings settings, EpollOptions options) throws IOException {
        super(kernel, settings, () -> EpollShard.open(kernel, settings, options));
        this.options = options;
    }

    @Override
    public String name() {
        return EpollBackendProvider.NAME;
    }

    @Override
    public String description() {
        String plain = EpollBackendProvider.NAME + ", " + kernel().name();
        return options.busyPoll().isZero() ? plain : plain + ", " + BusyPolling.describe(options);
    }
}
