package org.cabrank.socket.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.calls.PeerAddress;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.transport.ConnectionQuota;
import org.cabrank.stream.transport.StreamCount;

/** Accepts connections for one shard. The handle is concurrent, so that a handler supplier that blocks delays no other connection. */
public abstract class SocketListener implements EventHandler {
    /** Ready bit that is posted to accept the waiting connections and then close the listener. */
    private static final int DRAIN = Ready.POSTED_3;

    /** Maximum number of connections that are accepted before other handles have their turn. */
    protected static final int ACCEPTS_MAX = 64;

    private final SocketShard shard;
    private final ListeningSocket socket;
    private final Accepting accepting;
    private final AcceptedAddresses addresses;
    private final ThreadLocal<PeerAddress> peers;

    private ShardRouter router = ShardRouter.OWN;
    private final AtomicInteger failuresInARow = new AtomicInteger();

    private DescriptorHandle handle;
    private AcceptPause pause;
    private volatile boolean cutOff;

    private volatile boolean draining;

    private volatile boolean pausedForRate;

    protected SocketListener(SocketShard shard, ListeningSocket socket, Accepting accepting) {
        this.shard = shard;
        this.socket = socket;
        this.accepting = accepting;
        this.addresses = new AcceptedAddresses(socket.address(), accepting.lateQuestion());
        this.peers = ThreadLocal.withInitial(() -> new PeerAddress(shard.kernel()));
    }

    protected final void bind(DescriptorHandle concurrentHandle) {
        handle = concurrentHandle;
        pause = new AcceptPause(handle, socket.address(), shard.acceptPauses());
    }

    final void routeBy(ShardRouter whoServes) {
        router = whoServes;
    }

    protected abstract void start() throws IOException;

    protected final DescriptorHandle handle() {
        return handle;
    }

    final ListeningSocket socket() {
        return socket;
    }

    protected final boolean isDraining() {
        return draining;
    }

    /** Returns true if the service has paused the listener ({@link org.cabrank.stream.Listener#pause}) and the listener does not drain. */
    protected final boolean isPausedByService() {
        return accepting.state().isPaused() && !draining;
    }

    protected final boolean hasRate() {
        return accepting.hasRate() && !draining;
    }

    /** Returns true if the caller must accept or call {@link #noneAccepted}. After false, a timer calls the handler later. */
    protected final boolean mayAccept() {
        AcceptTokens tokens = accepting.tokens();
        if (tokens == null) {
            return true;
        }
        long nowNs = shard.handleSet().nanoTime();
        long pauseNs = tokens.take(nowNs);
        if (pauseNs == 0) {
            return true;
        }
        pausedForRate = true;
        // During a pause for lack of descriptors, this replaces the timer of the pause, because the rate allows no
        // earlier connection.
        handle.scheduleTimer(nowNs + pauseNs);
        return false;
    }

    /** Called after {@link #mayAccept} has returned true, if no connection was waiting or accepting has failed. */
    protected final void noneAccepted() {
        AcceptTokens tokens = accepting.tokens();
        if (tokens != null) {
            tokens.giveBack();
            pausedForRate = false;
        }
    }

    private void countAccepted() {
        accepting.state().countAccepted();
        if (pausedForRate) {
            pausedForRate = false;
            accepting.state().countRatePause();
            shard.context().count(StreamCount.RATE_PAUSED);
        }
    }

    final void pauseChanged() {
        handle.post(Ready.READ);
    }

    protected final AcceptPause pause() {
        return pause;
    }

    private int accept(PeerAddress peer) {
        peer.prepare();
        return shard.kernel()
                .accept4(
                        socket.fd(),
                        peer.address(),
                        peer.lengthAddress(),
                        Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
    }

    /**
     * Accepts waiting connections. After a failure that is not of the socket (memory, stack, class loading), the listener only pauses.
     *
     * @throws IOException if the socket cannot accept any more. The listener is closed with this cause, and its reactor ends
     */
    @Override
    public final void handleEvent(Handle own, int ready) throws IOException {
        if ((ready & DRAIN) != 0) {
            draining = true;
        }
        try {
            acceptReady();
        } catch (IOException broken) {
            throw broken;
        } catch (Throwable failed) {
            acceptFailed();
            shard.handleSet().failures().log("accepting failed, and is tried again", failed);
            pauseOrTryAgain();
        }
    }

    /** Called before the acceptor waits for a reply. The next thread accepts the connections that the last edge reported. */
    @Override
    public final void beforeNestedWait(Handle own) {
        own.post(Ready.READ);
    }

    private void acceptFailed() {
        shard.context().count(StreamCount.ACCEPT_FAILED);
        accepting.state().countAcceptFailure();
    }

    private void pauseOrTryAgain() {
        try {
            pause.begin();
        } catch (Throwable exhausted) {
            handle.post(Ready.READ); // allocates nothing
        }
    }

    /** Accepts up to {@link #ACCEPTS_MAX} connections, and posts to the handle if there may be more. */
    protected abstract void acceptReady() throws IOException;

    /** Accepts by accept4(2), and begins or ends a pause. Returns the last outcome, or null if paused or more connections may wait. */
    protected final AcceptOutcome acceptByReadiness() throws IOException {
        PeerAddress peer = peers.get();
        for (int accepted = 0; accepted < ACCEPTS_MAX; accepted++) {
            boolean byRate = hasRate();
            if (isPausedByService() || byRate && !mayAccept()) {
                return null; // the end of the pause calls the handler, which finds all waiting connections
            }
            int before = pause.current();
            int result = accept(peer);
            if (result >= 0) {
                pause.end(before);
                accepted();
                admit(result, peer);
                continue;
            }
            if (byRate) {
                noneAccepted();
            }
            AcceptOutcome outcome = outcome(-result);
            if (outcome == AcceptOutcome.NONE) {
                pause.end(before);
            } else if (outcome != AcceptOutcome.NEXT && !draining) {
                pause(outcome, -result);
            }
            if (outcome != AcceptOutcome.NEXT) {
                return outcome;
            }
        }
        handle.post(Ready.READ);
        return null;
    }

    /** Counts a failed accept. Returns the outcome of {@code errno}. The caller continues only after {@link AcceptOutcome#NEXT}. */
    protected final AcceptOutcome outcome(int errno) throws IOException {
        AcceptOutcome outcome = AcceptOutcome.of(errno);
        if (outcome == AcceptOutcome.NONE) {
            accepted();
            return outcome;
        }
        if (errno != Errno.EINTR) {
            acceptFailed();
        }
        if (outcome == AcceptOutcome.BROKEN && cutOff) {
            handle.close(); // a close was requested
            return AcceptOutcome.NONE;
        }
        if (outcome == AcceptOutcome.BROKEN) {
            throw Errno.exception(
                    "the listener at " + socket.address() + " cannot accept connections anymore: accept4", -errno);
        }
        // Repeated failures show an error that concerns more than a single connection. That error must not keep a
        // thread busy.
        boolean repeated = outcome == AcceptOutcome.NEXT && failuresInARow.incrementAndGet() >= ACCEPTS_MAX;
        return repeated ? AcceptOutcome.REFUSED : outcome;
    }

    /** Called when a connection was accepted or none was waiting. Both show that the socket works. */
    protected final void accepted() {
        if (failuresInARow.get() != 0) {
            failuresInARow.set(0);
        }
    }

    protected final void pause(AcceptOutcome outcome, int errno) {
        failuresInARow.set(0);
        pause.begin(outcome, errno);
    }

    final void drain() {
        socket.closeBacklog();
        handle.post(DRAIN);
    }

    /** Ends listening, even while a thread is inside the handler. */
    final void cutOff() {
        cutOff = true; // set first, because the next accept of any thread fails at a socket that does not listen
        socket.cutOff();
    }

    final void close() {
        handle.close();
    }

    /** Serves an accepted connection in this or another shard. Any failure, even an {@link InternalError}, only refuses this connection. */
    private void admit(int fd, PeerAddress peer) {
        countAccepted();
        try {
            serve(fd, peer.decode());
        } catch (Throwable refused) {
            refuse(fd, refused);
        }
    }

    /** Admits a connection with unknown peer, as {@link #admit(int, PeerAddress)}. Asks the kernel for the peer only if necessary. */
    protected final void admit(int fd) {
        countAccepted();
        try {
            if (!needsPeer()) {
                serve(fd, null);
                return;
            }
            PeerAddress peer = peers.get();
            peer.prepare();
            int result = shard.kernel().getpeername(fd, peer.address(), peer.lengthAddress());
            if (result < 0) {
                acceptFailed();
                shard.handleSet().closeQuietly(fd); // ENOTCONN: the connection had ended before it was accepted
                return;
            }
            serve(fd, peer.decode());
        } catch (Throwable refused) {
            refuse(fd, refused);
        }
    }

    private boolean needsPeer() {
        return accepting.needsAddresses()
                || router.needsPeer()
                || accepting.terms().quota().countsPeers()
                || addresses.areReadAtAccept();
    }

    private void serve(int fd, SocketAddress remote) throws IOException {
        ConnectionQuota quota = accepting.terms().quota();
        if (!quota.tryTake(remote)) {
            countBeyondLimit();
            reset(fd);
            return;
        }
        boolean served = false;
        try {
            served = serveUnlessRefused(fd, remote);
        } finally {
            if (!served) {
                quota.giveBack(remote); // before the reset, because the peer may then connect again
            }
            shard.handleSet().setInterruptAside(); // an interrupt of the acceptor must not reach the next connection
        }
        if (!served) {
            countRefused();
            reset(fd);
        }
    }

    private boolean serveUnlessRefused(int fd, SocketAddress remote) throws IOException {
        SocketAddress local = localAddress(fd);
        ConnectionHandler handler = accepting.acceptor().accept(remote, local);
        if (handler == null) {
            return false;
        }
        if (!accepting.optionsOfEach().isEmpty()) {
            accepting.optionsOfEach().set(shard.sockets(), fd);
        }
        router.route(shard, fd, remote).admit(fd, remote, local, addresses, handler, accepting.terms());
        return true;
    }

    private SocketAddress localAddress(int fd) throws IOException {
        SocketAddress common = socket.addressOfAccepted();
        return common == null && accepting.needsAddresses() ? shard.sockets().localAddress(fd) : common;
    }

    private void countBeyondLimit() {
        shard.context().count(StreamCount.OVER_LIMIT);
        accepting.state().countOverLimit();
    }

    private void countRefused() {
        shard.context().count(StreamCount.REFUSED);
        accepting.state().countRefused();
    }

    private void reset(int fd) {
        shard.sockets().resetOnClose(fd); // if the kernel refuses, the peer sees an orderly end instead
        shard.handleSet().closeQuietly(fd);
    }

    private void refuse(int fd, Throwable cause) {
        shard.handleSet().closeQuietly(fd);
        countRefused();
        shard.handleSet().failures().log("a connection that was accepted could not be served", cause);
    }

    /** Called when the handle is closed and the listener no longer uses the socket. */
    protected void releaseSocket() {
        socket.release();
    }

    @Override
    public final void handleClosed(Handle own, Throwable cause) {
        shard.acceptPauses().remove(pause);
        releaseSocket();
        shard.listenerClosed(this);
        if (cause != null) {
            shard.context().fail(cause); // clients could not connect any more, and only a log line would show it
        }
    }
}
