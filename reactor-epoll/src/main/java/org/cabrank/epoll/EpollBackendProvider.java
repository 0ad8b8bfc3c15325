package org.cabrank.epoll;

import java.io.IOException;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.StreamSettings;
import org.cabrank.stream.transport.StreamBackend;

/** Serves over epoll, wherever there is Linux. */
public final class EpollBackendProvider implements BackendProvider {
    static final String NAME = "epoll";

    private static final int RANK = 100;

    /** Called by the service loader. */
    public EpollBackendProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "epoll(7), for any number of threads";
    }

    @Override
    public int rank() {
        return RANK;
    }

    @Override
    public StreamBackend open(StreamSettings settings) throws IOException {
        try {
            return new EpollBackend(Kernels.system(), settings);
        } catch (KernelUnavailableException none) {
            throw new BackendUnavailableException("epoll: " + none.getMessage());
        } catch (OutOfMemoryError exhausted) {
            throw new BackendUnavailableException("epoll: no memory for " + settings.shards() + " shards: "
                    + exhausted.getMessage() + "; raise -XX:MaxDirectMemorySize (or -Xmx), or take fewer shards");
        }
    }
}
