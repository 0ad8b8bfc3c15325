package org.cabrank.epoll;

import java.io.IOException;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.transport.NewStream;
import org.cabrank.socket.transport.ReadinessIo;
import org.cabrank.stream.transport.StreamConnection;
import org.cabrank.stream.transport.StreamShard;

/** Reads and writes a stream connection on the thread that processes it. */
final class EpollIo extends ReadinessIo {
    private final boolean armsOneByOne;

    /** Replaced when the connection is moved. */
    private EpollHandleSet set;

    private EpollHandle handle;

    EpollIo(EpollShard shard, NewStream stream) {
        super(shard, stream);
        this.set = shard.handleSet();
        // Edge-triggered handles watch both directions, because unused edges cost nothing. Oneshot handles watch only
        // wanted directions.
        this.armsOneByOne = shard.armsOneByOne();
    }

    StreamConnection open(NewStream stream) {
        StreamConnection connection = newConnection(stream);
        int interest = armsOneByOne && !stream.isConnecting() ? Ready.READ : Ready.READ | Ready.WRITE;
        handle = new EpollHandle(set, fd, interest, connection);
        connection.bind(handle);
        return connection;
    }

    EpollHandle epollHandle() {
        return handle;
    }

    @Override
    public void noteInputReady(int ready) {
        super.noteInputReady(ready);
        if (handle.hasUrgent()) {
            noteUrgent();
        }
        if ((ready & (Ready.HANGUP | Ready.ERROR)) != 0) {
            handle.endReported();
        }
    }

    @Override
    protected void outputOver() {
        transfer.outbound().discard();
    }

    @Override
    public void interest(boolean input, boolean output) {
        if (armsOneByOne) {
            try {
                set.interest(handle, (input ? Ready.READ : 0) | (output ? Ready.WRITE : 0));
            } catch (IOException refused) {
                handle.closeBecauseOf(refused);
            }
        }
    }

    @Override
    public void workOffloaded() {
        interest(false, false);
    }

    @Override
    public boolean prepareToMove() {
        return true; // no event is lost: takeOver() joins the next set before it leaves this set
    }

    @Override
    public void moveTo(StreamShard other) throws IOException {
        EpollShard target = (EpollShard) other;
        rememberAddresses();
        int interest = armsOneByOne ? connection().wantsInput() ? Ready.READ : 0 : Ready.READ | Ready.WRITE;
        EpollHandle next = new EpollHandle(target.handleSet(), fd, interest, connection());
        takeOver(target.handleSet(), handle, next, () -> {
            set = target.handleSet();
            handle = next;
            movedTo(target, next);
        });
    }
}
