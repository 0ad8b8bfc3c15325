package org.cabrank.netty;

import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.stream.transport.StreamContext;

/**
 * A channel whose descriptor has a handle in the shard of its strand. The handle set reports each event once, so the channel remembers
 * unused events. Only the holder of the strand uses the fields and calls the methods, unless a comment or Netty's API permits other
 * threads. When the handle is closed, the holder of its claim closes the descriptor, and no thread uses the descriptor afterwards:
 *
 * <pre>
 *  open --doClose (strand)--> closing --handleClosed (claim)--> closed: the future of the close is completed
 * </pre>
 */
abstract class AbstractCabrankChannel extends AbstractChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);
    private static final System.Logger LOGGER = System.getLogger(AbstractCabrankChannel.class.getName());
    final ChannelSocket socket;

    final ChannelEvents events = new ChannelEvents(this);

    private volatile boolean closing;

    volatile boolean active;

    /** True if the kernel may have input, or the end of the input. */
    boolean inputReady;

    /** True if the kernel has reported the end of the input. The rest of the input is then read even if no read was requested. */
    boolean endReported;

    /** True if a receive may stop before it has taken all: before urgent data, or behind a descriptor that came over a Unix socket. */
    volatile boolean receivesStopEarly;

    /** True if a read was requested, or if the channel reads by itself ({@link ChannelConfig#isAutoRead}). */
    private boolean reading;

    /** True while the channel must not write, because the socket is full or connecting, or because other handles have their turn first. */
    boolean outputFull;

    private boolean endRead;

    /** True from the close of an active channel to its {@code channelInactive}. */
    boolean inactiveDue;

    private ChannelPromise connectPromise;
    private Future<?> connectTimeout;
    private SocketAddress requestedRemote;
    private volatile SocketAddress local;
    private volatile SocketAddress remote;

    AbstractCabrankChannel(Channel parent, ChannelSocket socket, boolean active) {
        super(parent);
        this.socket = socket;
        this.active = active;
        if (active) {
            local = socket.localAddress();
            remote = socket.remoteAddress();
        }
    }

    /** Receives until the socket is empty or enough was read. {@link #inputReady} stays true if there may be more. */
    abstract void readReady();

    boolean allowsHalfClosure() {
        return false;
    }

    /** Any thread may call this method. */
    final boolean isClosing() {
        return closing;
    }

    /** Returns true if there may be input, and either a read was requested or the end of the input was reported. */
    final boolean isToRead() {
        return inputReady && (reading || endReported) && !closing;
    }

    /** Called by the holder of the handle's claim, or, if the channel is not watched, by the thread that closes the channel. */
    final void closeDescriptor() {
        int result = socket.close();
        if (result < 0 && result != -Errno.EINTR) {
            LOGGER.log(System.Logger.Level.WARNING, "closing " + this, Errno.exception("close", result));
        }
    }

    /** Lets the strand's tasks use this channel's handle. Before the registration, any thread may call this method. */
    void watchEarly(Strand next) {
        if (active && !events.isWatched() && socket.isOpen()) {
            try {
                events.watch(next);
            } catch (IOException | IllegalStateException refused) {
                LOGGER.log(System.Logger.Level.DEBUG, "tried again by the registration", refused);
            }
        }
    }

    /** Makes the kernel report events. */
    final void watch() throws IOException {
        if (!events.isWatched()) {
            events.watch((Strand) eventLoop());
        }
    }

    /** Called at the registration. If the reactor has too many connections, returns false, and the channel must be closed. */
    boolean joins(StreamContext shard) {
        return true;
    }

    boolean isReadOnly() {
        return false;
    }

    /** Returns true if the socket works without an address. The kernel reports any other unbound socket as ended. */
    boolean isWatchedUnbound() {
        return false;
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof Strand;
    }

    @Override
    protected void doRegister(ChannelPromise promise) {
        Strand own = (Strand) eventLoop();
        try {
            events.belongTo(own);
            if (active || isWatchedUnbound()) {
                watch();
            }
            own.added(this);
        } catch (Throwable refused) { // Netty closes the channel if the promise fails
            own.removed(this);
            promise.setFailure(refused);
            return;
        }
        promise.setSuccess();
        if (inputReady && endReported && !closing) {
            events.look();
        }
    }

    /** Also called after a close. */
    @Override
    protected void doDeregister() {
        if (isOpen()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    this
                            + " is closed because it was deregistered: a channel stays with its event loop until it is closed");
            unsafe().close(unsafe().voidPromise());
        }
        Strand own = events.strand();
        if (own != null) {
            own.removed(this);
        }
        if (inactiveDue) {
            inactiveDue = false;
            pipeline().fireChannelInactive(); // now, because Netty removes the handlers next
        }
    }

    /** Called by the holder of the strand, or by the thread that could not register the channel. */
    @Override
    protected void doClose() {
        if (!closing && !isWatchedUnbound()) {
            socket.end();
        }
        active = false;
        endRead = true;
        inputReady = false;
        ChannelPromise connecting = connectPromise;
        if (connecting != null) {
            connectPromise = null;
            connecting.tryFailure(new ClosedChannelException());
        }
        if (connectTimeout != null) {
            connectTimeout.cancel(false);
            connectTimeout = null;
        }
        closing = true;
        events.close();
    }

    @Override
    protected void doDisconnect() throws Exception {
        doClose();
    }

    @Override
    public boolean isOpen() {
        return !closing && socket.isOpen();
    }

    @Override
    public boolean isActive() {
        return active && !inactiveDue;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    protected void doBeginRead() {
        unsafe().readPending = true;
        reading = true;
        if (inputReady && events.isWatched() && !unsafe().inRead) {
            events.look();
        }
    }

    /** Stops reading, because {@link ChannelConfig#isAutoRead} was set to false. Any thread may call this method. */
    final void autoReadCleared() {
        if (!isRegistered()) {
            return;
        }
        ((Strand) eventLoop()).runInside(() -> {
            if (!config().isAutoRead()) {
                stopReading();
            }
        });
    }

    final void stopReading() {
        unsafe().readPending = false;
        reading = false;
    }

    final void readDone() {
        if (!unsafe().readPending && !config().isAutoRead()) {
            reading = false;
        }
    }

    final boolean isInputOver() {
        return closing || socket.isInputShutdown() && (endRead || !allowsHalfClosure());
    }

    /** Called when the socket may have room, or when a connect has ended. */
    final void outputReady() {
        CabrankUnsafe unsafe = unsafe();
        if (connectPromise != null) {
            unsafe.finishConnect();
        } else if (!socket.isOutputShutdown()) {
            outputFull = false;
            unsafe.forceFlush();
        }
    }

    /** Continues writing after other handles had a turn. */
    final void writeLater() {
        outputFull = true;
        events.lookAtOutput();
    }

    void opened() {}

    @Override
    protected void doBind(SocketAddress address) throws Exception {
        requireResolved(address);
        socket.bind(address);
        local = socket.localAddress();
    }

    static void requireResolved(SocketAddress address) {
        if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
    }

    boolean doConnect(SocketAddress to, SocketAddress from) throws Exception {
        requireResolved(from);
        requireResolved(to);
        if (remote != null) {
            throw new AlreadyConnectedException();
        }
        if (from != null) {
            socket.bind(from);
        }
        boolean connected = false;
        boolean begun = false;
        try {
            connected = socket.connect(to);
            if (!connected) {
                outputFull = true;
            }
            watch();
            begun = true;
        } finally {
            if (!begun) {
                doClose();
            }
        }
        if (connected) {
            connected(to);
        }
        local = socket.localAddress();
        return connected;
    }

    /** Keeps the requested address, because it has the name that the caller knows. */
    private void connected(SocketAddress to) {
        remote = to;
        local = socket.localAddress();
    }

    /** Called when there is no peer any more. Reads the local address again, because the kernel may have released it. */
    final void forgetAddresses() {
        remote = null;
        local = socket.localAddress();
    }

    @Override
    protected SocketAddress localAddress0() {
        return local;
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return remote;
    }

    @Override
    public CabrankUnsafe unsafe() {
        return (CabrankUnsafe) super.unsafe();
    }

    @Override
    protected CabrankUnsafe newUnsafe() {
        return new CabrankUnsafe();
    }

    class CabrankUnsafe extends AbstractUnsafe {
        /** True if a read was requested and no data has been read since. */
        boolean readPending;

        boolean inRead;

        @Override
        public RecvByteBufAllocator.ExtendedHandle recvBufAllocHandle() {
            return (RecvByteBufAllocator.ExtendedHandle) super.recvBufAllocHandle();
        }

        @Override
        protected void flush0() {
            if (!outputFull) {
                super.flush0();
            }
        }

        final void forceFlush() {
            super.flush0();
        }

        /** Returns null if the caller can close the descriptor at once. Otherwise the holder of the handle's claim closes it. */
        @Override
        protected Executor prepareToClose() {
            return events.isClosedAtOnce() ? null : events::close;
        }

        /**
         * Makes {@link #doDeregister} fire {@code channelInactive}. Netty fires it only at the end of the close. If the channel is
         * deregistered before this end, Netty would never fire it.
         */
        @Override
        protected void close(ChannelPromise promise, Throwable cause, ClosedChannelException closeCause) {
            StackRoom.requireDouble(); // an overflow below would leave the channel half closed, and Netty closes only
            // once
            if (promise.setUncancellable()) {
                inactiveDue |= isActive(); // the channel is inactive for Netty from now on
                super.close(promise, cause, closeCause);
            }
        }

        /** @param allRead true if the end of the input was read, false if it was only reported */
        final void shutdownInput(boolean allRead) {
            if (!socket.isInputShutdown()) {
                if (!allowsHalfClosure()) {
                    close(voidPromise());
                    return;
                }
                try {
                    socket.shutdownInput();
                } catch (NotYetConnectedException gone) {
                    // The end of the input reports that the connection is over.
                } catch (IOException over) {
                    pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
                    close(voidPromise());
                    return;
                }
                pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
            }
            if (allRead && !endRead) {
                endRead = true;
                pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
            }
        }

        @Override
        public void connect(SocketAddress to, SocketAddress from, ChannelPromise promise) {
            if (promise.isDone() || !ensureOpen(promise)) { // a promise may be cancelled
                return;
            }
            try {
                if (connectPromise != null) {
                    throw new ConnectionPendingException();
                }
                boolean wasActive = isActive();
                if (doConnect(to, from)) {
                    succeed(promise, wasActive);
                } else {
                    begun(to, promise);
                }
            } catch (Throwable refused) {
                closeIfClosed();
                promise.tryFailure(annotateConnectException(refused, to));
            }
        }

        private void begun(SocketAddress to, ChannelPromise promise) {
            connectPromise = promise;
            requestedRemote = to;
            int limitMs = config().getConnectTimeoutMillis();
            if (limitMs > 0) {
                connectTimeout = eventLoop()
                        .schedule(
                                () -> {
                                    ChannelPromise pending = connectPromise;
                                    if (pending != null
                                            && pending.tryFailure(new ConnectTimeoutException(
                                                    "connection timed out after " + limitMs + " ms: " + to))) {
                                        close(voidPromise());
                                    }
                                },
                                limitMs,
                                TimeUnit.MILLISECONDS);
            }
            promise.addListener((ChannelFutureListener) this::endIfCancelled);
        }

        private void endIfCancelled(ChannelFuture attempt) {
            if (attempt.isCancelled()) {
                if (connectTimeout != null) {
                    connectTimeout.cancel(false);
                }
                connectPromise = null;
                close(voidPromise());
            }
        }

        private void finishConnect() {
            boolean pending = false;
            try {
                boolean wasActive = isActive();
                if (!socket.finishConnect()) {
                    pending = true;
                    return;
                }
                outputFull = false;
                connected(requestedRemote);
                succeed(connectPromise, wasActive);
                flush0(); // sends the messages that were flushed during the connect
            } catch (Throwable failure) {
                ChannelPromise promise = connectPromise;
                if (promise != null) {
                    promise.tryFailure(annotateConnectException(failure, requestedRemote));
                    closeIfClosed();
                }
            } finally {
                if (!pending) {
                    if (connectTimeout != null) {
                        connectTimeout.cancel(false);
                        connectTimeout = null;
                    }
                    connectPromise = null;
                    requestedRemote = null;
                }
            }
        }

        private void succeed(ChannelPromise promise, boolean wasActive) {
            if (promise == null) {
                return; // the connect was cancelled
            }
            active = true;
            opened();
            boolean set = promise.trySuccess(); // a listener may close the channel
            if (!wasActive) {
                pipeline().fireChannelActive();
            }
            if (!set) {
                close(voidPromise());
            }
        }
    }
}
