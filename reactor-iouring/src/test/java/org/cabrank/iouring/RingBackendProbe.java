package org.cabrank.iouring;

import java.io.IOException;
import java.util.List;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Kernel;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;

/** Provides the backend under test, and access to the rings of its shards. */
public final class RingBackendProbe implements BackendProvider {
    private final IoUringBackendProvider provider;
    private StreamBackend opened;

    public RingBackendProbe(Kernel kernel, RingOptions options) {
        this.provider = new IoUringBackendProvider(kernel, options);
    }

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public int rank() {
        return provider.rank();
    }

    @Override
    public String refusal(StreamSettings settings) {
        return provider.refusal(settings);
    }

    @Override
    public StreamBackend open(StreamSettings settings) throws IOException {
        opened = provider.open(settings);
        return opened;
    }

    /** The handle set of each shard. */
    List<RingHandleSet> sets() {
        return opened.shards().stream()
                .map(shard -> ((RingShard) shard).handleSet())
                .toList();
    }

    /** The ring of each shard. */
    public List<Ring> rings() {
        return sets().stream().map(RingHandleSet::ring).toList();
    }
}
