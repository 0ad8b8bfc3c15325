package org.cabrank.socket.transport;

import java.io.IOException;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.handle.Ready;
import org.cabrank.stream.transport.Chunk;
import org.cabrank.stream.transport.DirectOutbound;
import org.cabrank.stream.transport.DirectTransmitter;
import org.cabrank.stream.transport.Outbound;
import org.cabrank.stream.transport.OutboundQueue;
import org.cabrank.stream.transport.StreamConnection;
import org.cabrank.stream.transport.StreamContext;
import org.cabrank.stream.transport.ThreadBuffers;

/** I/O of a stream connection by readiness. The holder of its claim receives after an edge, and sends until the socket is full. */
public abstract class ReadinessIo extends SocketIo implements DirectTransmitter {
    /** True if the kernel may have input, because an edge was reported after the last empty read. */
    private boolean inputReady;

    /** True after a report of the end of input or of urgent data. From then on, only the end or EAGAIN shows that all input was read. */
    private boolean endReported;

    protected ReadinessIo(SocketShard shard, NewStream stream) {
        super(shard, stream);
    }

    @Override
    public final boolean receive(ThreadBuffers buffers) throws Exception {
        if (!inputReady || !connection().wantsInput()) {
            return false;
        }
        Chunk room = connection().receiveRoom(buffers, 1);
        int position = room.bytes.position();
        int count = room.bytes.remaining();
        int result = recv(room.address + position, count, 0);
        if (transfer != null && transfer.inboundFailure() != null) {
            connection().fail(transfer.inboundFailure());
            return false;
        }
        if (result > 0) {
            buffers.noteReceived(result);
            room.bytes.position(position + result);
            // A TCP socket that returns fewer bytes than requested is empty (epoll(7)). A Unix socket may stop at
            // passed descriptors.
            inputReady = result == count || endReported || isUnix;
            connection().received(room.bytes.flip());
        } else if (result == 0) {
            inputReady = false;
            endOfInput();
        } else if (result == -Errno.EAGAIN) {
            inputReady = false;
        } else if (result != -Errno.EINTR) {
            connection().fail(failure("recv", result));
        }
        return inputReady;
    }

    @Override
    public void noteInputReady(int ready) {
        int ended = Ready.INPUT_CLOSED | Ready.HANGUP | Ready.ERROR;
        inputReady |= (ready & (Ready.READ | Ready.TIMER | StreamConnection.DRAIN | ended)) != 0;
        endReported |= (ready & ended) != 0;
    }

    /** Called when urgent data were reported, because a receive stops before urgent data. */
    protected final void noteUrgent() {
        endReported = true;
    }

    @Override
    public final boolean inputDrained() {
        return !inputReady;
    }

    @Override
    public final Outbound newOutbound(StreamContext context) {
        return transfer == null ? new DirectOutbound(context, this) : new Outbound(context, this);
    }

    @Override
    public final int sendQueued(OutboundQueue queue) throws IOException {
        return sendNow(queue);
    }

    @Override
    public final boolean sendsFiles() {
        return true;
    }

    @Override
    public final void submit() {
        // the kernel has the sent bytes already
    }
}
