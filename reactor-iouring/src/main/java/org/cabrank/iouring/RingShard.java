package org.cabrank.iouring;

import java.io.IOException;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Kernel;
import org.cabrank.socket.transport.Accepting;
import org.cabrank.socket.transport.ListeningSocket;
import org.cabrank.socket.transport.NewStream;
import org.cabrank.socket.transport.SocketListener;
import org.cabrank.socket.transport.SocketShard;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.transport.StreamConnection;
import org.cabrank.stream.transport.StreamSettings;

/** One ring with its listeners and connections. */
final class RingShard extends SocketShard {
    private final RingHandleSet set;
    private final ReceiveBuffers buffers;

    private RingShard(RingHandleSet set, StreamSettings settings, RingOptions options) throws IOException {
        super(set, settings);
        this.set = set;
        this.buffers = set.provideBuffers(context().chunks(), options);
    }

    /** If this method fails, even because memory is lacking, it leaves nothing open. */
    static RingShard open(Kernel kernel, StreamSettings settings, RingOptions options) throws IOException {
        RingHandleSet set = new RingHandleSet(kernel, settings.deactivation(), options, settings.threadsPerShard() > 1);
        try {
            if (set.relief() != null && !set.ring().features().deferTaskrun()) {
                throw BackendUnavailableException.ofSeveralThreads(IoUringBackendProvider.severalThreadsRefused(
                        settings,
                        "the kernel completes requests while a handler keeps the ring's thread (Linux before 6.1)"));
            }
            return new RingShard(set, settings, options);
        } catch (Throwable refused) {
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
        return new RingListener(this, socket, accepting); // the kernel wakes one of several accept requests by itself
    }

    @Override
    protected StreamConnection startConnection(NewStream stream) throws IOException {
        RingIo io = new RingIo(this, stream);
        StreamConnection connection = io.open(this, stream);
        set.start(io.ringHandle(), stream.posted(), stream.deadlineNs());
        return connection;
    }
}
