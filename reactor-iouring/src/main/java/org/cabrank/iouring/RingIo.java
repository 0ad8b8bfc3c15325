package org.cabrank.iouring;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.transport.DescriptorTransfer;
import org.cabrank.socket.transport.NewStream;
import org.cabrank.socket.transport.OpenFile;
import org.cabrank.socket.transport.SocketIo;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.transport.Chunk;
import org.cabrank.stream.transport.FileOperation;
import org.cabrank.stream.transport.FileRange;
import org.cabrank.stream.transport.OutboundQueue;
import org.cabrank.stream.transport.StreamConnection;
import org.cabrank.stream.transport.StreamShard;
import org.cabrank.stream.transport.ThreadBuffers;

/** I/O of a stream connection: receives and sends bytes by requests to a ring. */
final class RingIo extends SocketIo {
    private RingHandleSet set;

    private ReceiveBuffers buffers;
    private RingHandle handle;
    private StreamRequests requests;

    /** The rest of the piece that was last taken from the queue. */
    private long present = InboundQueue.NOTHING;

    /** The piece whose buffer the handler has. The field is a number, because storing a reference costs a barrier. */
    private long lentPiece = InboundQueue.NOTHING;

    private BulkInput bulk;

    /** True if a drain must find the socket empty. Until {@link #drained} is true, the claim holder reads the socket without a receive. */
    private boolean drainWanted;

    private boolean drained;

    /** True if the end of the input was reported. A short read then does not show that the socket is empty. Only the end or EAGAIN does. */
    private boolean endReported;

    /** True if an error was reported while the connection wanted input. The receive that finds it may have to take unread bytes first. */
    private boolean errorLeft;

    RingIo(RingShard shard, NewStream stream) {
        super(shard, stream);
        set = shard.handleSet();
    }

    StreamConnection open(RingShard shard, NewStream stream) {
        StreamConnection connection = newConnection(stream);
        serveBy(shard, newHandle(shard, stream.isConnecting()));
        connection.bind(handle);
        return connection;
    }

    private RingHandle newHandle(RingShard shard, boolean connects) {
        RingHandleSet itsSet = shard.handleSet();
        return new RingHandle(
                itsSet, fd, connection(), own -> new StreamRequests(itsSet, own, this, shard.buffers(), connects));
    }

    private void serveBy(RingShard serving, RingHandle itsHandle) {
        set = serving.handleSet();
        buffers = serving.buffers();
        handle = itsHandle;
        requests = (StreamRequests) itsHandle.requests();
    }

    RingHandle ringHandle() {
        return handle;
    }

    FileRequest newFileRequest(int fileDescriptor, FileOperation operation) {
        return new FileRequest(set, handle, fileDescriptor, operation);
    }

    @Override
    public boolean receive(ThreadBuffers threadBuffers) throws Exception {
        RingHandleSet serving = set;
        serving.enter();
        try {
            return receiveLocked(threadBuffers);
        } finally {
            serving.leave();
        }
    }

    private boolean receiveLocked(ThreadBuffers threadBuffers) throws Exception {
        if (!connection().wantsInput()) {
            return false;
        }
        if (transfer != null && transfer.inboundFailure() != null) {
            connection().fail(transfer.inboundFailure());
            return false;
        }
        if (isBulk()) {
            return receiveBulk(threadBuffers);
        }
        long piece =
                present != InboundQueue.NOTHING ? present : requests.inbound().poll();
        if (piece == InboundQueue.NOTHING) {
            return (drainWanted || set.isRelieved()) && receiveAtOnce(threadBuffers);
        }
        if (piece == InboundQueue.END) {
            return endReached();
        }
        if (present == InboundQueue.NOTHING) {
            threadBuffers.noteReceived(InboundQueue.bytes(piece));
        }
        if (transfer == null
                && (bulk != null || InboundQueue.bytes(piece) == buffers.ring().bufferBytes())) {
            noteSize(piece);
        }
        if (buffers.isWhole(piece)
                && !CopiedPieces.isCopied(piece)
                && !connection().hasUnread()) {
            deliver(piece);
        } else {
            present = piece; // if there is no room, the close releases it
            Chunk room = connection().receiveRoom(threadBuffers, InboundQueue.bytes(piece));
            copy(piece, room);
            received(room);
        }
        return present != InboundQueue.NOTHING
                || !requests.inbound().isEmpty()
                || isToBeDrained()
                || requests.reported && set.readsAtOnce();
    }

    private void received(Chunk room) throws Exception {
        RingHandleSet serving = set;
        serving.leave();
        try {
            connection().received(room.bytes.flip());
        } finally {
            serving.enter();
        }
    }

    /** Returns true if the drain must continue at once, because no later completion may call the handler again. */
    private boolean isToBeDrained() {
        return drainWanted && !drained;
    }

    private boolean isBulk() {
        return bulk != null && bulk.isUnderWay();
    }

    private void noteSize(long piece) {
        if (bulk == null) {
            bulk = new BulkInput();
        }
        if (bulk.begins(
                piece,
                buffers.ring().bufferBytes(),
                connection().context().limits().receiveBuffer())) {
            requests.endReceiving();
        }
    }

    private boolean mayHaveMore() {
        return bulk != null && bulk.mayHaveMore();
    }

    /** Fills the room for one call of the handler: first with queued pieces, then by reads of the socket while no request receives. */
    private boolean receiveBulk(ThreadBuffers threadBuffers) throws Exception {
        InboundQueue inbound = requests.inbound();
        if (present == InboundQueue.NOTHING && inbound.isAtEnd()) {
            return endReached();
        }
        if (present == InboundQueue.NOTHING && inbound.size() == 0) {
            return receiveAtOnce(threadBuffers);
        }
        Chunk room = connection().receiveRoom(threadBuffers, buffers.ring().bufferBytes());
        int before = room.bytes.position();
        do {
            boolean rest = present != InboundQueue.NOTHING;
            long piece = rest ? present : inbound.poll();
            threadBuffers.noteReceived(rest ? 0 : InboundQueue.bytes(piece));
            copy(piece, room);
        } while (present == InboundQueue.NOTHING && room.bytes.hasRemaining() && inbound.size() > 0);
        bulk.received(room.bytes.position() - before);
        if (present == InboundQueue.NOTHING && room.bytes.hasRemaining() && mayReadAtOnce()) {
            readAtOnce(threadBuffers, room);
        }
        received(room);
        return present != InboundQueue.NOTHING
                || !inbound.isEmpty()
                || bulk.mayHaveMore()
                || isToBeDrained()
                || requests.reported && set.readsAtOnce();
    }

    private boolean endReached() throws Exception {
        int result = requests.inbound().endResult();
        drained = true;
        if (result != 0) {
            connection().fail(inputFailure(result));
            return false;
        }
        RingHandleSet serving = set;
        serving.leave();
        try {
            endOfInput();
        } finally {
            serving.enter();
        }
        return false;
    }

    private IOException inputFailure(int result) {
        return result == InboundQueue.NO_MEMORY ? buffers.exhausted("what was received") : failure("recv", result);
    }

    /** Delivers the piece from the buffer that the kernel has filled, without a copy. */
    private void deliver(long piece) throws Exception {
        RingHandleSet serving = set;
        lentPiece = piece;
        serving.leave();
        try {
            connection().received(buffers.view(piece).clear().limit(InboundQueue.bytes(piece)));
        } finally {
            serving.enter();
            if (lentPiece == piece) { // otherwise the handler has released the connection to wait for a reply
                lentPiece = InboundQueue.NOTHING;
            }
            requests.release(piece);
        }
    }

    private void copy(long piece, Chunk room) {
        ByteBuffer from = CopiedPieces.isCopied(piece) ? requests.copies().oldest() : buffers.whole(piece);
        int offset = InboundQueue.offset(piece);
        int left = InboundQueue.bytes(piece);
        int count = Math.min(left, room.bytes.remaining());
        room.bytes.put(room.bytes.position(), from, offset, count);
        room.bytes.position(room.bytes.position() + count);
        if (count == left) {
            present = InboundQueue.NOTHING;
            requests.release(piece);
        } else {
            present = InboundQueue.piece(InboundQueue.bufferId(piece), offset + count, left - count);
        }
    }

    /** Frees the buffer of the rest of a piece, which waits. If there is no memory for the rest, the connection ends. */
    private void keepPresent() {
        if (present == InboundQueue.NOTHING || CopiedPieces.isCopied(present)) {
            return;
        }
        try {
            present = requests.copies().keep(present);
        } catch (ShardMemoryException none) {
            connection().fail(none);
            handle.post(Ready.ERROR); // the handler's next call closes the connection
        }
    }

    void releasePresent() {
        if (present != InboundQueue.NOTHING) {
            requests.release(present);
            present = InboundQueue.NOTHING;
        }
    }

    /** Reads from the socket if no request receives any more, or if a deputy leads. */
    private boolean receiveAtOnce(ThreadBuffers threadBuffers) throws Exception {
        boolean relieved = set.readsAtOnce();
        if (!relieved && (drained || !drainWanted && !mayHaveMore() || !mayReadAtOnce())) {
            return false;
        }
        Chunk room = connection().receiveRoom(threadBuffers, buffers.ring().bufferBytes());
        if (readAtOnce(threadBuffers, room)) {
            received(room);
            if (relieved && requests.reported) {
                return true; // the kernel reports more only after the socket was found empty
            }
        }
        return isToBeDrained() || mayHaveMore() || !requests.inbound().isEmpty();
    }

    /** Ends receiving. Returns true if no receive is armed and the queue is empty. If one is armed, its end dispatches the connection. */
    private boolean mayReadAtOnce() {
        requests.endReceiving();
        return !requests.isReceiving() && requests.inbound().isEmpty();
    }

    /** Returns true if bytes were read. Adds an end of the input, or an error, to the queue. */
    private boolean readAtOnce(ThreadBuffers threadBuffers, Chunk room) {
        int position = room.bytes.position();
        int wanted = room.bytes.remaining();
        int result;
        requests.reported = false;
        do {
            result = recv(room.address + position, wanted, Sockets.MSG_DONTWAIT);
        } while (result == -Errno.EINTR);
        if (result > 0) {
            threadBuffers.noteReceived(result);
            room.bytes.position(position + result);
            boolean mayStopShort = endReported || requests.urgentReported || isUnix; // as with epoll, see ReadinessIo
            if (result == wanted || mayStopShort) {
                requests.reported = true;
            }
            if (bulk != null) {
                bulk.read(result, wanted);
            }
            return true;
        }
        if (result == -Errno.EAGAIN) {
            drained = drainWanted;
            if (bulk != null) {
                bulk.paused();
            }
        } else {
            requests.endRead(result);
        }
        return false;
    }

    @Override
    public ByteBuffer lentBytesBuffer(ByteBuffer received) {
        long piece = lentPiece;
        lentPiece = InboundQueue.NOTHING;
        return piece == InboundQueue.NOTHING ? received : buffers.view(piece);
    }

    @Override
    public void noteInputReady(int ready) {
        endReported |= (ready & (Ready.INPUT_CLOSED | Ready.HANGUP | Ready.ERROR)) != 0;
        if ((ready & StreamConnection.DRAIN) != 0) {
            drainWanted = true;
            set.enter();
            try {
                requests.endReceiving();
            } finally {
                set.leave();
            }
        }
    }

    @Override
    public boolean inputDrained() {
        return drained && present == InboundQueue.NOTHING && isNothingLeft(); // an end in the queue does not count
    }

    private boolean isNothingLeft() {
        set.enter();
        try {
            return requests.inbound().size() == 0;
        } finally {
            set.leave();
        }
    }

    @Override
    public void interest(boolean input, boolean output) {
        set.enter();
        try {
            ask(input, output);
        } finally {
            set.leave();
        }
    }

    private void ask(boolean input, boolean output) {
        if (input) {
            if (!requests.isReceiving() && (!drainWanted || drained)) {
                askForInput();
            }
            return;
        }
        keepPresent();
        recallError();
        if (!requests.inbound().isEmpty() || !requests.isReceiving()) {
            requests.endReceiving(); // a receive was requested while it was unknown if input would be left, or has no
            // buffer yet
        }
        if (!output) { // otherwise the send reports a reset
            requests.watchEnd();
        }
    }

    /**
     * Does not look into the socket while the ring receives, because the look clears an error. The receive reports the error itself, behind
     * the bytes that it has taken.
     */
    @Override
    public boolean holdsInput(ThreadBuffers threadBuffers) {
        set.enter();
        try {
            return present != InboundQueue.NOTHING
                    || requests.inbound().size() > 0
                    || (!requests.isReceiving() || set.readsAtOnce()) && super.holdsInput(threadBuffers);
        } finally {
            set.leave();
        }
    }

    @Override
    public boolean mayHoldInput(ThreadBuffers threadBuffers) {
        boolean underWay = receiveIsUnderWay(); // read first: a request queues its input before it counts as not armed
        return underWay || holdsInput(threadBuffers);
    }

    /** Ends a receive. Returns true if it may have taken bytes that are not queued yet. Its last completion dispatches the connection. */
    private boolean receiveIsUnderWay() {
        set.enter();
        try {
            if (!requests.isReceiving()) {
                return false;
            }
            requests.endReceiving();
            requests.watchEnd();
            return true;
        } finally {
            set.leave();
        }
    }

    @Override
    public void workOffloaded() {
        set.enter();
        try {
            keepPresent();
            recallError();
            requests.watchEnd();
        } finally {
            set.leave();
        }
    }

    /** Dispatches an error that was left to a receive if the connection does not want input any more. The poll does not report it again. */
    private void recallError() {
        if (errorLeft && !connection().wantsInput()) {
            errorLeft = false;
            handle.post(Ready.ERROR);
        }
    }

    /** Leaves an error of the socket to the next receive if there will be one. Unread bytes may be in front of the error. */
    @Override
    public IOException pendingFailure() {
        set.enter();
        try {
            requests.forgetEnd();
            InboundQueue inbound = requests.inbound();
            if (inbound.hasFailed()) {
                return inputFailure(inbound.endResult());
            }
            errorLeft = connection().wantsInput() && !inbound.hasEnded();
            return errorLeft ? null : super.pendingFailure();
        } finally {
            set.leave();
        }
    }

    private void askForInput() {
        if (bulk != null) {
            bulk.asked();
        }
        requests.receive(isBulk());
    }

    DescriptorTransfer transfer() {
        return transfer;
    }

    /** Does nothing, because a send under way may carry descriptors. {@link StreamRequests#released} closes unsent descriptors. */
    @Override
    protected void outputOver() {}

    IOException sendFailed(int result) {
        return transfer == null ? failure("send", result) : sendFailure(result);
    }

    @Override
    public int sendQueued(OutboundQueue queue) throws IOException {
        int sent;
        set.enter();
        try {
            sent = requests.sendQueued(queue);
        } finally {
            set.leave();
        }
        return sent == StreamRequests.AT_ONCE ? sendAtOnce(queue) : sent;
    }

    /** Requires that the output belongs to the claim holder, and that no request is sending a part of it. */
    private int sendAtOnce(OutboundQueue queue) throws IOException {
        int sent = sendNow(queue);
        if (sent > 0) {
            return sent;
        }
        set.enter();
        try {
            return requests.awaitRoom(queue);
        } finally {
            set.leave();
        }
    }

    @Override
    public boolean sendsFiles() {
        return true;
    }

    int descriptor() {
        return fd;
    }

    int sendFromCache(FileRange range, OpenFile file, int wanted) throws IOException {
        return sendFile(range, file, wanted);
    }

    @Override
    public void submit() {
        set.submitRequests();
    }

    /** Called by the watcher while no thread runs the handler. Returns false if the handle must be dispatched. */
    boolean tookAll(int count) {
        return connection().outputTaken(count);
    }

    /** Returns the unsent bytes. The kernel may still be reading their memory. */
    OutboundQueue takeUnsent() {
        return connection().takeOutboundQueue();
    }

    @Override
    public void resetOnClose() {
        requests.discardOutput();
        super.resetOnClose();
    }

    /** Ends the receive before a move. The last completion may bring bytes, which the handler gets before the move. */
    @Override
    public boolean prepareToMove() {
        set.enter();
        try {
            requests.endReceiving();
            return present == InboundQueue.NOTHING && requests.isAtRest(drained);
        } finally {
            set.leave();
        }
    }

    @Override
    public void moveTo(StreamShard other) throws IOException {
        RingShard target = (RingShard) other;
        rememberAddresses();
        RingHandle next = newHandle(target, false);
        takeOver(target.handleSet(), handle, next, () -> {
            serveBy(target, next);
            movedTo(target, next);
        });
    }
}
