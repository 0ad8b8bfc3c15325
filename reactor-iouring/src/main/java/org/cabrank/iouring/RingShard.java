package org.cabrank.iouring;

import java.io.IOException;
import org.cabrank.descriptor.spi.Accepting;
import org.cabrank.descriptor.spi.ListeningSocket;
import org.cabrank.descriptor.spi.NewStream;
import org.cabrank.descriptor.spi.SocketListener;
import org.cabrank.descriptor.spi.SocketShard;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.stream.StreamSettings;
import org.cabrank.lf.stream.spi.StreamConnection;

/** One ring with its listeners and connections. */
final class RingShard extends SocketShard {
    private final RingHandleSet set;
    private final ReceiveBuffers buffers;

    RingShard(Kernel kernel, StreamSettings settings, RingOptions options) throws IOException {
        this(
                new RingHandleSet(
                        kernel,
                        settings.deactivation(),
                        settings.threadsPerShard() == 1 ? RingMode.OWNER : RingMode.SHARED,
                        options),
                settings,
                options);
    }

    private RingShard(RingHandleSet set, StreamSettings settings, RingOptions options) throws IOException {
        super(set, settings);
        this.set = set;
        try {
            this.buffers = set.provideBuffers(context().chunks(), options);
        } catch (IOException | RuntimeException refused) {
            set.close();
            throw refused;
        }
    }

    @Override
    public RingHandleSet handleSet() {
        return set;
    }

    ReceiveBuffers buffers() {
        return buffers;
    }

    @Override
    protected SocketListener newListener(ListeningSocket socket, boolean exclusive, Accepting accepting) {
        return new RingListener(this, socket, accepting); // the kernel wakes one accept request of several by itself
    }

    @Override
    protected StreamConnection startConnection(NewStream stream) throws IOException {
        RingConnection connection = new RingConnection(this, stream);
        set.start(connection.ringHandle(), stream.posted(), stream.deadlineNs());
        return connection;
    }
}
