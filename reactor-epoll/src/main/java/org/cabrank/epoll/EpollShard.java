package org.cabrank.epoll;

import java.io.IOException;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.transport.Accepting;
import org.cabrank.socket.transport.ListeningSocket;
import org.cabrank.socket.transport.NewStream;
import org.cabrank.socket.transport.SocketListener;
import org.cabrank.socket.transport.SocketShard;
import org.cabrank.stream.transport.StreamConnection;
import org.cabrank.stream.transport.StreamSettings;

final class EpollShard extends SocketShard {
    private final EpollHandleSet set;

    private EpollShard(EpollHandleSet set, StreamSettings settings) {
        super(set, settings);
        this.set = set;
    }

    /** Opens an epoll set and its resources. If this fails, even because memory is lacking, nothing stays open. */
    static EpollShard open(Kernel kernel, StreamSettings settings, EpollOptions options) throws IOException {
        EpollHandleSet set = new EpollHandleSet(kernel, settings.deactivation(), options);
        try {
            return new EpollShard(set, settings);
        } catch (Throwable refused) {
            set.close();
            throw refused;
        }
    }

    @Override
    public EpollHandleSet handleSet() {
        return set;
    }

    boolean armsOneByOne() {
        return set.deactivation() == Deactivation.ONESHOT;
    }

    @Override
    protected SocketListener newListener(ListeningSocket socket, boolean exclusive, Accepting accepting) {
        return new EpollListener(this, socket, exclusive, accepting);
    }

    @Override
    protected StreamConnection startConnection(NewStream stream) throws IOException {
        EpollIo io = new EpollIo(this, stream);
        StreamConnection connection = io.open(stream);
        set.admit(io.epollHandle(), stream.posted(), stream.deadlineNs());
        return connection;
    }
}
