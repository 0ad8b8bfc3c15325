package org.cabrank.iouring;

import java.io.IOException;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.transport.DescriptorTransfer;
import org.cabrank.stream.transport.DescriptorBatch;
import org.cabrank.stream.transport.OutboundQueue;

/**
 * Requests of a stream socket. There is one multishot receive, one send at a time, and one poll while the socket connects. In a set with
 * several threads, only the holder of the {@link Relief}'s lock uses this object.
 *
 * <p>In the states IDLE and DONE, the send belongs to the claim holder. In the state IN_FLIGHT, it belongs to the kernel, and its
 * completion changes the state to DONE. The close of the connection changes the state to FAREWELL. The watcher then sends the bytes that
 * the socket takes at once. After that, the state is OVER, and the descriptor is closed. The memory of the queue is kept until then.
 */
final class StreamRequests extends HandleRequests {
    /** Events by which a {@link Relief} watches for input. EPOLLPRI reports urgent data, in front of which a read stops. */
    static final int INPUT_EVENTS = Epoll.EPOLLIN | Epoll.EPOLLRDHUP | Epoll.EPOLLPRI;

    private static final int IDLE = 0;
    private static final int IN_FLIGHT = 1;
    private static final int DONE = 2;
    private static final int FAREWELL = 3;
    private static final int OVER = 4;

    /** Result of {@link #sendQueued} if the caller must send without the ring. */
    static final int AT_ONCE = -1;

    private final RingHandle handle;
    private final int fd;
    private final ReceiveBuffers buffers;
    private final RingIo io;
    private final InboundQueue inbound;
    private final ReceiveRequest receiving;

    private final DescriptorTransfer transfer;

    /** Null if the socket was connected before. */
    private final ConnectRequest connecting;

    private SendVector vector;

    private CopiedPieces copies;

    private EndRequest endRequest;

    private boolean endWanted;

    /** While a request of the {@link FileSend} is under way, the state is IN_FLIGHT. */
    private FileSend fileSend;

    private int sending = IDLE;

    /** True if the socket is full and the {@link Relief} watches for room. */
    private boolean roomAwaited;

    private int sendResult;

    /** Bytes to send after the close. */
    private OutboundQueue farewell;

    private boolean outputDiscarded;

    /** @param io null in tests that dispatch no completions and pass no descriptors */
    StreamRequests(RingHandleSet set, RingHandle handle, RingIo io, ReceiveBuffers buffers, boolean connects) {
        super(set);
        this.handle = handle;
        this.fd = handle.fd();
        this.buffers = buffers;
        this.io = io;
        this.connecting = connects ? new ConnectRequest(this, fd) : null;
        this.inbound = new InboundQueue();
        this.transfer = io == null ? null : io.transfer();
        this.receiving = transfer == null
                ? new ReceiveRequest(this, fd, buffers, inbound)
                : new MessageReceive(this, fd, buffers, inbound, transfer);
    }

    @Override
    Handle handle() {
        return handle;
    }

    @Override
    int fd() {
        return fd;
    }

    @Override
    boolean isWatchedByRelief() {
        return true;
    }

    @Override
    int readinessEvents() {
        return connecting == null && !roomAwaited ? INPUT_EVENTS : INPUT_EVENTS | Epoll.EPOLLOUT;
    }

    @Override
    boolean takesAllInput() {
        return receiving.isUnended() || inbound.hasEnded();
    }

    @Override
    boolean isHeld() {
        return receiving.isHeld();
    }

    InboundQueue inbound() {
        return inbound;
    }

    CopiedPieces copies() {
        if (copies == null) {
            copies = new CopiedPieces(buffers);
        }
        return copies;
    }

    @Override
    boolean check() {
        return connecting != null; // otherwise the connection requests input after the handler's opened()
    }

    @Override
    void arm() {
        connecting.arm();
    }

    // ---- receiving ----

    boolean isReceiving() {
        return receiving.isArmed();
    }

    void receive(boolean once) {
        receiving.ask(once);
    }

    void endReceiving() {
        receiving.hold();
    }

    /** Called by the claim holder when it has read the end of the input, or an error, from the socket. */
    void endRead(int result) {
        inbound.end(receiving.withFoundEnd(result));
    }

    /** Returns true if the end of a receive must dispatch the connection, because the claim holder does not read input. */
    boolean isEndWanted() {
        return endWanted;
    }

    /** Called by the claim holder when it checks for an end itself. */
    void forgetEnd() {
        endWanted = false;
    }

    /** Ensures that a reset dispatches the connection, by the last completion of an armed receive or by a poll. */
    void watchEnd() {
        endWanted = true;
        if (receiving.isArmed()) {
            return;
        }
        if (endRequest == null) {
            endRequest = new EndRequest(this, fd);
        }
        endRequest.arm();
    }

    /** Called after {@link #endReceiving}. Returns true if no request is under way and no input is left. Otherwise a dispatch follows. */
    boolean isAtRest(boolean endTaken) {
        // This is checked before the queue, because the last completion queues its bytes before it disarms the receive.
        if (receiving.isArmed() || sending != IDLE) {
            return false;
        }
        return inbound.size() == 0 && (endTaken || !inbound.hasEnded());
    }

    // ---- sending ----

    /** Like {@code Transmitter#sendQueued}, but returns {@link #AT_ONCE} if the ring must not be used. */
    int sendQueued(OutboundQueue queue) throws IOException {
        int state = sending;
        if (state == IN_FLIGHT) {
            return 0;
        }
        if (state == DONE) {
            sending = IDLE;
            int result = sendResult;
            if (isOfFile()) {
                fileSend.take(queue, result);
            } else {
                giveVectorBack();
                if (result > 0) {
                    noteDescriptorsSent(result);
                    return result;
                }
                if (result < 0 && !isToBeAskedAgain(result)) {
                    throw io.sendFailed(result);
                }
            }
        }
        return set().sendsAtOnce() ? AT_ONCE : sendByRing(queue);
    }

    /** Called by the claim holder when the socket was full. Returns the number of bytes that this call has sent. */
    int awaitRoom(OutboundQueue queue) throws IOException {
        return set().awaitsRoom(this) ? 0 : sendByRing(queue);
    }

    boolean roomAwaited(boolean awaited) {
        boolean changed = roomAwaited != awaited;
        roomAwaited = awaited;
        return changed;
    }

    private int sendByRing(OutboundQueue queue) throws IOException {
        if (queue.headFile() != null) {
            int sent = fileSend().next(queue);
            if (sent > 0) {
                noteDescriptorsSent(sent);
            }
            if (sent != FileSend.LOADED) {
                return sent;
            }
        }
        boolean several = prepareSend(queue); // first, because this may fail for lack of memory or stack
        beginInPlaceOfSend();
        send(queue, several, 0);
        return 0;
    }

    void beginInPlaceOfSend() {
        sending = IN_FLIGHT;
        begin();
    }

    private FileSend fileSend() {
        if (fileSend == null) {
            fileSend = new FileSend(this, io);
        }
        return fileSend;
    }

    private boolean isOfFile() {
        return fileSend != null && fileSend.hasPlace();
    }

    /** The kernel sends descriptors with the first byte of a send. */
    private void noteDescriptorsSent(int bytes) {
        if (transfer != null) {
            transfer.outbound().sent(bytes);
        }
    }

    /** Sends up to the next byte that carries descriptors. */
    private void sendWithDescriptors(OutboundQueue queue, int messageFlags) {
        long file = SubmissionWriter.descriptor(fd);
        int count = transfer.outbound().sendable(queue.headBytes());
        DescriptorBatch due = transfer.outbound().due();
        if (due == null) {
            set().submissions().send(file, queue.headAddress(), count, messageFlags, userData(SEND));
        } else {
            long header = transfer.message(queue, count, due).address();
            set().submissions().sendMessage(file, header, messageFlags, userData(SEND));
        }
    }

    private int fileRequestEnded(int result) {
        sendResult = result;
        if (sending == IN_FLIGHT) {
            sending = DONE;
            ended();
            return isClosed() ? 0 : Ready.WRITE;
        }
        continueFarewell(0);
        ended();
        return 0;
    }

    private boolean prepareSend(OutboundQueue queue) {
        boolean several = transfer == null && !queue.isInOnePiece();
        if (several && vector == null) {
            vector = set().vectors().take();
        }
        return several;
    }

    private void send(OutboundQueue queue, boolean several, int flags) {
        int messageFlags = Sockets.MSG_NOSIGNAL | flags;
        long file = SubmissionWriter.descriptor(fd);
        if (transfer != null) {
            sendWithDescriptors(queue, messageFlags);
        } else if (several) {
            vector.describe(queue);
            set().submissions().sendMessage(file, vector.address(), messageFlags, userData(SEND));
        } else {
            set().submissions().send(file, queue.headAddress(), queue.headBytes(), messageFlags, userData(SEND));
        }
    }

    private void giveVectorBack() {
        if (vector != null) {
            set().vectors().giveBack(vector);
            vector = null;
        }
    }

    boolean isSending() {
        return sending == IN_FLIGHT;
    }

    int sent(int result) {
        if (transfer == null
                && sending == IN_FLIGHT
                && result > 0
                && (set().isAlone() || handle.isFree())
                && io.tookAll(result)) {
            sending = IDLE;
            giveVectorBack();
            ended();
            return 0;
        }
        sendResult = result;
        if (sending == IN_FLIGHT) {
            sending = DONE;
            ended();
            return isClosed() ? 0 : Ready.WRITE;
        }
        continueFarewell(result);
        ended();
        return 0;
    }

    // ---- the end ----

    @Override
    void retire() {
        endWatchOfEnd();
        markClosed();
    }

    private void endWatchOfEnd() {
        if (endRequest != null) {
            endRequest.end();
        }
    }

    /** Makes the coming close discard unsent bytes. */
    void discardOutput() {
        outputDiscarded = true;
    }

    @Override
    void close() {
        receiving.hold();
        if (connecting != null) {
            connecting.end();
        }
        endWatchOfEnd();
        io.releasePresent();
        farewell = io.takeUnsent();
        int inFlight = isOfFile() ? fileSend.operation() : SEND;
        if (sending == IN_FLIGHT) {
            sending = FAREWELL;
            set().cancel(userData(inFlight)); // the send may be waiting for room in the socket
        } else {
            int result = sending == DONE && !isOfFile() ? sendResult : 0;
            sending = FAREWELL;
            continueFarewell(isToBeAskedAgain(result) ? 0 : result);
        }
        markClosed();
    }

    /** Called by the watcher, or by the closing thread if nothing is in flight. ECANCELED means that the socket had no room. */
    private void continueFarewell(int result) {
        if (fileSend != null) {
            fileSend.giveBack(farewell);
        }
        if (result > 0) {
            noteDescriptorsSent(result);
        }
        if (result >= 0) {
            farewell.sent(result);
        }
        if (result >= 0
                && !farewell.isEmpty()
                && farewell.headFile() == null // a file would have to be read first
                && !outputDiscarded
                && !set().isQuiet()) {
            giveVectorBack();
            boolean several = prepareSend(farewell);
            begin();
            send(farewell, several, Sockets.MSG_DONTWAIT);
        } else {
            sending = OVER;
            if (set().isRelieved() && !outputDiscarded) {
                set().kernel().shutdown(fd, Sockets.SHUT_WR); // the ring's thread closes the descriptor later
            }
            set().closeInOrder(fd);
        }
    }

    @Override
    boolean isFilled() {
        return fileSend != null && fileSend.isReading() && sending != DONE;
    }

    @Override
    void abandoned() {
        if (fileSend != null && sending != DONE) {
            fileSend.abandoned();
        }
        if (sending == FAREWELL) {
            continueFarewell(-Errno.ECANCELED);
        }
    }

    @Override
    int completed(int operation, int result, int flags) {
        return switch (operation) {
            case RECV -> receiving.completed(result, flags);
            case SEND -> sent(result);
            case FILE, ROOM -> fileRequestEnded(result);
            case POLL -> connecting.completed(result, flags);
            case END -> endRequest.completed(result, flags);
            default -> throw new IllegalStateException("operation " + operation + " of " + this);
        };
    }

    @Override
    void released() {
        if (farewell != null) { // otherwise the connection has moved to another ring
            farewell.discard();
            if (transfer != null) {
                transfer.outbound().discard();
            }
        }
        giveVectorBack();
        releaseInbound();
    }

    void releaseInbound() {
        for (long piece = inbound.poll(); InboundQueue.isPiece(piece); piece = inbound.poll()) {
            release(piece);
        }
    }

    void release(long piece) {
        if (CopiedPieces.isCopied(piece)) {
            copies.releaseOldest();
        } else {
            buffers.release(piece);
        }
    }

    @Override
    public String toString() {
        return "stream of " + handle;
    }
}
