package org.cabrank.iouring;

import java.io.IOException;
import java.util.Objects;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;

/** Serves over io_uring(7) where the kernel and the restrictions of the process allow it. */
@SuppressWarnings("exports") // the reactor calls the methods with types of Cabrank
public final class IoUringBackendProvider implements BackendProvider {
    /** Name of the backend, for {@link org.cabrank.stream.Backend#named}. */
    public static final String NAME = "iouring";

    /** Rank of this backend: before epoll, which has rank 100. */
    private static final int RANK = 50;

    private final Kernel kernel;
    private final RingOptions options;

    /** Called by the service loader. */
    public IoUringBackendProvider() {
        this(RingOptions.DEFAULT);
    }

    /** Makes a provider of rings with these options, for {@link org.cabrank.stream.Backend#of}. */
    public IoUringBackendProvider(RingOptions options) {
        this(null, options);
    }

    /** @param kernel the kernel to use. If null, the kernel of the system is loaded when it is needed */
    IoUringBackendProvider(Kernel kernel, RingOptions options) {
        this.kernel = kernel;
        this.options = Objects.requireNonNull(options, "options");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "io_uring(7)";
    }

    @Override
    public int rank() {
        return RANK;
    }

    static String severalThreadsRefused(StreamSettings settings, String cause) {
        return NAME + " cannot serve " + shard(settings) + ": " + cause + "; use 1 thread per shard, or epoll";
    }

    private static String shard(StreamSettings settings) {
        return settings.grows() ? "a shard that grows" : "a shard with " + settings.threadsPerShard() + " threads";
    }

    @Override
    public String reservation(StreamSettings settings) {
        return settings.threadsPerShard() == 1
                ? null
                : NAME + " is not chosen for " + shard(settings) + ": epoll is the default there; ask for " + NAME
                        + " by name, or use 1 thread per shard";
    }

    @Override
    public StreamBackend open(StreamSettings settings) throws IOException {
        try {
            return new RingBackend(kernel != null ? kernel : Kernels.system(), settings, options);
        } catch (KernelUnavailableException none) {
            throw new BackendUnavailableException(NAME + ": " + none.getMessage());
        } catch (OutOfMemoryError exhausted) {
            throw new BackendUnavailableException(NAME + ": no memory for "
                    + (settings.shards() == 1 ? "one shard" : settings.shards() + " shards") + " with "
                    + options.receiveBuffers() + " receive buffers of " + options.receiveBufferBytes()
                    + " bytes each: " + exhausted.getMessage()
                    + "; raise -XX:MaxDirectMemorySize (or -Xmx), or take fewer shards, or fewer or smaller buffers"
                    + " (RingOptions.withReceiveBuffers)");
        }
    }
}
