package org.cabrank.epoll;

import java.io.IOException;
import java.util.Objects;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;

/** Serves over epoll(7), on every Linux. */
@SuppressWarnings("exports") // the reactor calls the methods with types of Cabrank
public final class EpollBackendProvider implements BackendProvider {
    /** Name of the backend, for {@link org.cabrank.stream.Backend#named}. */
    public static final String NAME = "epoll";

    private static final int RANK = 100;

    private final Kernel kernel;
    private final EpollOptions options;

    public EpollBackendProvider() {
        this(EpollOptions.DEFAULT);
    }

    /** Makes a provider of handle sets with these options, for {@link org.cabrank.stream.Backend#of}. */
    public EpollBackendProvider(EpollOptions options) {
        this(null, options);
    }

    /** If {@code kernel} is null, the kernel of the system is loaded when it is needed. */
    EpollBackendProvider(Kernel kernel, EpollOptions options) {
        this.kernel = kernel;
        this.options = Objects.requireNonNull(options, "options");
    }

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
            return new EpollBackend(kernel != null ? kernel : Kernels.system(), settings, options);
        } catch (KernelUnavailableException none) {
            throw new BackendUnavailableException("epoll: " + none.getMessage());
        } catch (OutOfMemoryError exhausted) {
            throw new BackendUnavailableException("epoll: no memory for " + settings.shards() + " shards: "
                    + exhausted.getMessage() + "; raise -XX:MaxDirectMemorySize (or -Xmx), or take fewer shards");
        }
    }
}
