package org.cabrank.socket.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.TcpInfoLayout;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.calls.EncodedOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.PeerCredentials;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.TcpInfo;
import org.cabrank.stream.transport.DescriptorPassing;
import org.cabrank.stream.transport.FileRange;
import org.cabrank.stream.transport.OptionPlace;
import org.cabrank.stream.transport.OutboundQueue;
import org.cabrank.stream.transport.StreamConnection;
import org.cabrank.stream.transport.StreamIo;
import org.cabrank.stream.transport.ThreadBuffers;

/** Socket I/O of a stream connection, without a reactor's calls. Used by the holder of its claim. Any thread may ask for addresses. */
public abstract class SocketIo implements StreamIo {
    protected static final int NOT_SENT = -1;

    private static final int SENDFILE_MAX = 1 << 20;

    protected final Kernel kernel;
    protected final int fd;

    protected final boolean isUnix;

    private final AcceptedAddresses accepted;

    /** Address of the peer; null until the kernel was asked. Guarded by the monitor of the handle. */
    private volatile SocketAddress remoteAddress;

    private final CompletableFuture<Connection> connecting;

    private StreamConnection connection;

    /** Null if the connection passes no descriptors. */
    protected final DescriptorTransfer transfer;

    private SocketShard shard;

    /** Null until the connection is established or the kernel was asked. Guarded by the handle's monitor if the socket was accepted. */
    private volatile SocketAddress localAddress;

    protected SocketIo(SocketShard shard, NewStream stream) {
        this.kernel = shard.kernel();
        this.fd = stream.fd();
        this.accepted = stream.accepted();
        this.remoteAddress = stream.remote();
        this.connecting = stream.connecting();
        this.shard = shard;
        this.localAddress = stream.local();
        this.isUnix = !(listeningOrPeer() instanceof InetSocketAddress);
        int descriptorsMax = stream.terms().descriptorsMax();
        this.transfer = descriptorsMax == 0 ? null : new DescriptorTransfer(shard, descriptorsMax);
    }

    protected final StreamConnection newConnection(NewStream stream) {
        connection = new StreamConnection(stream.handler(), shard.context(), stream.terms(), this);
        return connection;
    }

    protected final StreamConnection connection() {
        return connection;
    }

    // ---- descriptors; any thread ----

    @Override
    public final DescriptorPassing descriptors() {
        return transfer == null ? null : transfer.passing();
    }

    protected final int recv(long address, int count, int flags) {
        return transfer == null ? kernel.recv(fd, address, count, flags) : transfer.receive(fd, address, count, flags);
    }

    protected final IOException failure(String call, int result) {
        return Errno.exception(connection + ": " + call, result);
    }

    @Override
    public IOException pendingFailure() {
        int error = shard.sockets().pendingError(fd);
        return error == 0 ? null : failure("the connection has ended", -error);
    }

    @Override
    public final long unsentBytes() {
        return shard.sockets().sendBufferUsed(fd);
    }

    @Override
    public final boolean inputOutlasts(IOException failedSend) {
        return switch (errno(failedSend)) {
            case Errno.EPIPE,
                    Errno.ECONNRESET,
                    Errno.ETIMEDOUT,
                    Errno.EHOSTUNREACH,
                    Errno.EHOSTDOWN,
                    Errno.ENETUNREACH,
                    Errno.ENETDOWN -> true;
            default -> false; // the peer may be alive and wait for unsent bytes
        };
    }

    private static int errno(IOException failed) {
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        return cause instanceof KernelException call ? call.errno() : 0;
    }

    /** Fails the connection if the kernel reports an error, because the next receive would report an orderly end instead. */
    @Override
    public boolean holdsInput(ThreadBuffers buffers) {
        int result = kernel.recv(fd, buffers.receive.address, 1, Sockets.MSG_PEEK | Sockets.MSG_DONTWAIT);
        if (result < 0 && result != -Errno.EAGAIN && result != -Errno.EINTR) {
            connection.fail(failure("recv", result));
        }
        return result > 0;
    }

    /** If a send has reported a reset, bytes may be missing, so the connection fails. EPIPE only shows that the peer had ended before. */
    protected final void endOfInput() throws Exception {
        IOException failedSend = connection.outputFailure();
        if (failedSend == null || errno(failedSend) == Errno.EPIPE) {
            connection.endOfInput();
        } else {
            connection.fail(failedSend);
        }
    }

    @Override
    public final boolean finishConnecting() {
        int error = shard.sockets().pendingError(fd);
        if (error != 0) {
            connection.fail(Errno.exception("connect to " + remoteAddress, -error));
            return false;
        }
        try {
            localAddress = shard.sockets().localAddress(fd);
        } catch (IOException gone) {
            connection.fail(gone);
            return false;
        }
        return true;
    }

    @Override
    public final boolean announceOpen() {
        if (connecting == null || connecting.complete(connection)) {
            return true;
        }
        connection.fail(
                new IOException("connecting to " + remoteAddress + " was given up: the future is complete already"));
        return false;
    }

    @Override
    public final void neverOpened(Throwable cause) {
        if (connecting != null) {
            connecting.completeExceptionally(
                    cause != null ? cause : new IOException("connecting to " + remoteAddress + " was given up"));
        }
    }

    @Override
    public final void sendEndOfOutput() {
        int result = kernel.shutdown(fd, Sockets.SHUT_WR);
        if (result < 0 && result != -Errno.ENOTCONN) {
            connection.fail(failure("shutdown", result));
            connection.handle().post(Ready.READ); // the handler's next call closes the connection
        }
    }

    @Override
    public void resetOnClose() {
        int result = shard.sockets().resetOnClose(fd);
        if (result < 0) {
            shard.handleSet().failures().log("resetting " + connection, failure("setsockopt SO_LINGER", result));
        }
    }

    /** Makes the connection belong to {@code target}. Called by {@link #moveTo} when the handle is in the set of {@code target}. */
    protected final void movedTo(SocketShard target, Handle other) {
        SocketShard former = shard;
        shard = target;
        if (transfer != null) {
            transfer.movedTo(target);
        }
        connection.moved(other, target.context());
        target.streamArrived(connection);
        former.streamLeft();
    }

    /** Sends the oldest bytes of the queue until the socket has no room. Returns the number of bytes sent. */
    protected final int sendNow(OutboundQueue queue) throws IOException {
        FileRange range = queue.headFile();
        if (range == null) {
            return sendMemory(queue);
        }
        int sent = range.file() instanceof OpenFile.Holder holder
                        && holder.openFile().isSendable()
                ? sendFile(range, holder.openFile(), (int) Math.min(range.left(), SENDFILE_MAX))
                : NOT_SENT;
        return sent == NOT_SENT ? sendCopied(queue) : noteSent(sent);
    }

    private int sendCopied(OutboundQueue queue) throws IOException {
        queue.load();
        return sendMemory(queue);
    }

    private int sendMemory(OutboundQueue queue) throws IOException {
        return transfer == null ? send(queue.headAddress(), queue.headBytes()) : sendWithDescriptors(queue);
    }

    private int sendWithDescriptors(OutboundQueue queue) throws IOException {
        int result;
        do {
            result = transfer.send(fd, queue);
        } while (result == -Errno.EINTR);
        if (result < 0 && result != -Errno.EAGAIN) {
            throw sendFailure(result);
        }
        return Math.max(0, result);
    }

    /** Counts the sent bytes of a file. The count shows when descriptors are due that belong to bytes behind the file. */
    private int noteSent(int sent) {
        if (transfer != null && sent > 0) {
            transfer.outbound().sent(sent);
        }
        return sent;
    }

    public final int send(long address, int count) throws IOException {
        int sent = 0;
        while (sent < count) {
            int result = kernel.send(fd, address + sent, count - sent, Sockets.MSG_NOSIGNAL);
            if (result >= 0) {
                sent += result;
            } else if (result == -Errno.EAGAIN) {
                break;
            } else if (result != -Errno.EINTR) {
                throw failure("send", result);
            }
        }
        return sent;
    }

    /**
     * Sends at most {@code wanted} bytes of a file range (sendfile(2)). Continues until EAGAIN, because the kernel reports room by
     * an edge only after a refusal.
     *
     * @return number of bytes taken; 0 if the socket has no room; {@link #NOT_SENT} if the kernel does not send this file
     * @throws IOException if the file cannot be read, the file ends before the range ends, or the socket has failed
     */
    protected final int sendFile(FileRange range, OpenFile file, int wanted) throws IOException {
        int sent = 0;
        while (sent < wanted) {
            int result = kernel.sendfile(
                    fd, file.fd(), FilePosition.addressOf(kernel, range.position() + sent), wanted - sent);
            if (result > 0) {
                sent += result;
            } else if (result == -Errno.EAGAIN) {
                break;
            } else if (result == 0 && sent == 0) {
                throw range.truncated();
            } else if (result == 0) {
                break; // the next call reports the end of the file
            } else if (result == -Errno.EINVAL || result == -Errno.ENOSYS || result == -Errno.EOPNOTSUPP) {
                file.notSendable();
                return sent > 0 ? sent : NOT_SENT;
            } else if (result != -Errno.EINTR) {
                throw failure("sendfile of " + file.path(), result);
            }
        }
        return sent;
    }

    protected final IOException sendFailure(int result) {
        IOException cause = failure("send", result);
        String remedy = DescriptorTransfer.sendRemedy(-result);
        return remedy.isEmpty() ? cause : new IOException(cause.getMessage() + remedy, cause);
    }

    /** Called when a connection that passes descriptors has ended. Closes unsent descriptors when the kernel no longer uses them. */
    protected abstract void outputOver();

    @Override
    public final void descriptorReleased() {
        if (transfer != null) {
            outputOver();
        }
        connection.terms().quota().giveBack(remoteAddress);
        shard.streamClosed();
    }

    // ---- addresses; any thread ----

    @Override
    public final SocketAddress remoteAddress() {
        SocketAddress known = remoteOrNull();
        if (known == null) {
            accepted.noteLateQuestion();
            return accepted.unknownPeer();
        }
        return known;
    }

    @Override
    public final SocketAddress localAddress() {
        SocketAddress known = localOrNull();
        return known != null || accepted == null ? known : accepted.listening();
    }

    private SocketAddress remoteOrNull() {
        if (remoteAddress == null) {
            ifOpen(this::askForRemote);
        }
        return remoteAddress; // another thread may have asked before the descriptor was closed
    }

    private SocketAddress localOrNull() {
        if (localAddress == null && accepted != null) {
            ifOpen(this::askForLocal);
        }
        return localAddress;
    }

    private void ifOpen(IntConsumer action) {
        DescriptorHandle own = (DescriptorHandle) connection.handleVolatile();
        if (own != null) { // null while the connection is being established
            DescriptorSet.whileOpen(own, action);
        }
    }

    // ---- options; any thread ----

    @Override
    public final <T> void option(SocketOption<T> option, T value) throws IOException {
        option.requireFit(listeningOrPeer(), OptionPlace.CONNECTED);
        onDescriptor(openFd -> {
            EncodedOptions.set(shard.sockets(), openFd, option, value);
            return null;
        });
    }

    @Override
    public final <T> T option(SocketOption<T> option) throws IOException {
        return onDescriptor(openFd -> EncodedOptions.get(shard.sockets(), openFd, option));
    }

    @Override
    public final TcpInfo tcpInfo() throws IOException {
        if (isUnix) {
            throw new UnsupportedOperationException(connection
                    + " has no TCP_INFO: its socket is a Unix socket; ask for it on" + " connections of TCP only");
        }
        return onDescriptor(openFd -> {
            byte[] value = new byte[TcpInfoLayout.SIZE_BYTES];
            int length = shard.sockets().option(openFd, Sockets.IPPROTO_TCP, Sockets.TCP_INFO, value);
            if (length < 0) {
                throw Errno.exception(connection + ": getsockopt TCP_INFO", length);
            }
            return TcpInfoDecoder.decode(value, length);
        });
    }

    @Override
    public final PeerCredentials peerCredentials() throws IOException {
        requireUnix("peer credentials");
        return onDescriptor(openFd -> PeerProcess.credentials(shard.sockets(), openFd, connection));
    }

    @Override
    public final int peerPidfd() throws IOException {
        requireUnix("pidfd of its peer");
        return onDescriptor(openFd -> PeerProcess.pidfd(shard.sockets(), openFd, connection));
    }

    private void requireUnix(String what) {
        if (!isUnix) {
            throw new UnsupportedOperationException(connection + " has no " + what
                    + ": its socket is not a Unix socket, and the kernel knows no process at"
                    + " the other end; listen at a Unix address, or let the peer identify itself (TLS)");
        }
    }

    private SocketAddress listeningOrPeer() {
        return accepted != null ? accepted.listening() : remoteAddress;
    }

    @FunctionalInterface
    private interface DescriptorCall<R> {
        R on(int openFd) throws IOException;
    }

    /** Calls {@code call} with the descriptor, which is neither closed nor moved during the call. */
    private synchronized <R> R onDescriptor(DescriptorCall<R> call) throws IOException {
        DescriptorHandle own = (DescriptorHandle) connection.handleVolatile();
        if (own != null) { // null while the connection is being established
            synchronized (own) { // see DescriptorSet.whileOpen
                if (!own.isClosed()) {
                    return call.on(own.fd());
                }
            }
        }
        throw new ClosedChannelException();
    }

    /** Called for {@link #moveTo}. Threads that set options wait until it has returned, because they know only the former handle. */
    protected final synchronized void takeOver(
            DescriptorSet target, DescriptorHandle former, DescriptorHandle next, Runnable handedOver)
            throws IOException {
        target.takeOver(former, next, handedOver);
    }

    private void askForRemote(int openFd) {
        if (remoteAddress == null) {
            remoteAddress = shard.sockets().peerOrNull(openFd);
        }
    }

    private void askForLocal(int openFd) {
        if (localAddress == null) {
            localAddress = shard.sockets().localOrNull(openFd);
        }
    }

    /** Called before {@link #moveTo}, because during the move other threads may know only the former handle, which is closed. */
    protected final void rememberAddresses() {
        remoteOrNull();
        localOrNull();
    }

    /** Does not count as a late question of the service, because only messages of the reactor use this method. */
    @Override
    public final String describePeer() {
        SocketAddress known = remoteOrNull();
        return known == null ? "a peer that is not known any more" : known.toString();
    }
}
