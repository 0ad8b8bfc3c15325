package org.cabrank.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;
import org.cabrank.lf.failure.FatalErrors;
import org.cabrank.socket.calls.PeerAddress;
import org.cabrank.socket.calls.SocketOps;

/**
 * A UDP socket (udp(7)) whose datagrams are handled by as many threads at once as the pool has.
 *
 * <p>Its handle is concurrent: each recvfrom(2) takes a datagram of its own. A thread that has taken one tells the pool that
 * there may be more before it calls the handler, so a handler that is slow holds up no other datagram.
 */
public final class UdpSocket implements AutoCloseable {
    /** Bytes in one datagram: more than IPv4 (65,507) and IPv6 (65,527) can carry, so none is ever cut off. */
    public static final int BYTES_MAX = 1 << 16;

    /** Named bound: datagrams taken in one go by the only thread of a pool, before other handles have their turn. */
    private static final int DATAGRAMS_MAX = 64;

    /** Named bound: threads that send at a time, and buffers of {@link #BYTES_MAX} that they use; further threads wait. */
    static final int SENDERS_MAX = 16;

    /** Named bound: buffers that are kept for the threads that receive next. */
    private static final int IDLE_MAX = 16;

    private static final Duration RETRY = Duration.ofMillis(100);

    private final DescriptorSet set;
    private final Kernel kernel;
    private final int fd;
    private final InetSocketAddress localAddress;
    private final DatagramHandler handler;
    private final DescriptorHandle handle;

    /** Idle datagrams; each receiving thread takes one for a call of the handler. */
    private final ArrayBlockingQueue<Datagram> idle = new ArrayBlockingQueue<>(IDLE_MAX);

    private final OutgoingDatagrams outgoing;
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder unsent = new LongAdder();
    private final LongAdder reported = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /** Lock of the descriptor: shared by threads that send outside the handler, exclusive for the thread that closes. */
    private final ReadWriteLock use = new ReentrantReadWriteLock();

    private volatile boolean released;

    private UdpSocket(DescriptorSet set, int fd, InetSocketAddress localAddress, DatagramHandler handler) {
        this.set = set;
        this.kernel = set.kernel();
        this.fd = fd;
        this.localAddress = localAddress;
        this.handler = handler;
        this.outgoing = new OutgoingDatagrams(kernel, SENDERS_MAX);
        this.handle = set.newHandle(fd, Ready.READ, new Events(), DescriptorOwner.CALLER, true);
    }

    /**
     * Opens a socket that receives at {@code address}; port 0 chooses a free port. May be called by any thread.
     *
     * @throws IOException if the address is unavailable, or the process has reached its limit of descriptors
     */
    public static UdpSocket bind(DescriptorSet set, InetSocketAddress address, DatagramHandler handler)
            throws IOException {
        Objects.requireNonNull(handler, "handler");
        SocketOps sockets = new SocketOps(set.kernel());
        int fd = Errno.check("socket for datagrams", sockets.datagramSocket(address));
        try {
            Errno.check("bind to " + address, sockets.bind(fd, address));
            UdpSocket socket = new UdpSocket(set, fd, (InetSocketAddress) sockets.localAddress(fd), handler);
            set.add(socket.handle, 0, Handle.NO_DEADLINE);
            return socket;
        } catch (Throwable refused) {
            set.closeQuietly(fd);
            throw refused;
        }
    }

    /** Local address, with the port that the kernel has chosen. */
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    /** Returns the handle, for instance to deactivate it or to post to it. */
    public DescriptorHandle handle() {
        return handle;
    }

    public DatagramCounters counters() {
        return new DatagramCounters(received.sum(), sent.sum(), unsent.sum(), reported.sum(), failed.sum());
    }

    /**
     * Sends the remaining bytes of {@code data}, and has consumed them when it returns. Any thread; while 16 threads send at
     * once, further threads wait for one of them, which takes microseconds because no send blocks.
     *
     * @return as {@link Datagram#reply}; false too when the socket is closed
     * @throws IllegalArgumentException when {@code data} is more than {@link #BYTES_MAX}, or the address unresolved
     */
    public boolean send(InetSocketAddress to, ByteBuffer data) {
        OutgoingDatagram buffer = outgoing.take();
        if (buffer == null) {
            return discard(data);
        }
        try {
            buffer.to.encode(to);
            use.readLock().lock();
            try {
                return send(buffer, buffer.to, data);
            } finally {
                use.readLock().unlock();
            }
        } finally {
            outgoing.giveBack(buffer);
        }
    }

    /** Inside the handler. */
    boolean reply(PeerAddress to, ByteBuffer data) {
        OutgoingDatagram buffer = outgoing.take();
        if (buffer == null) {
            return discard(data);
        }
        try {
            return send(buffer, to, data);
        } finally {
            outgoing.giveBack(buffer);
        }
    }

    /** Inside the handler, or with the descriptor in use. */
    private boolean send(OutgoingDatagram buffer, PeerAddress to, ByteBuffer data) {
        int count = data.remaining();
        requireFits(count);
        long address = buffer.put(data);
        return !released && sendTo(to, address, count);
    }

    /** There is no memory to send from: the datagram is lost, as if the kernel had no room for it. */
    private boolean discard(ByteBuffer data) {
        requireFits(data.remaining());
        data.position(data.limit());
        unsent.increment();
        return false;
    }

    /** Any thread: closes the socket when no thread is inside the handler any more. */
    @Override
    public void close() {
        handle.close();
    }

    static void requireFits(int count) {
        if (count > BYTES_MAX) {
            throw new IllegalArgumentException("a datagram has at most " + BYTES_MAX + " bytes, this has " + count);
        }
    }

    /** One that no thread uses. As many are in use as handlers run, one above the other on a thread's stack included. */
    private Datagram free() {
        Datagram free = idle.poll();
        return free != null ? free : new Datagram(this, kernel);
    }

    /**
     * Sends a datagram and handles each errno of sendto(2). A datagram that the kernel refuses is lost and counted. Returns
     * true if the kernel has accepted the datagram.
     */
    boolean sendTo(PeerAddress to, long address, int count) {
        int result;
        do {
            result = kernel.sendto(fd, address, count, Sockets.MSG_NOSIGNAL, to.address(), to.length());
        } while (result == -Errno.EINTR);
        if (result >= 0) {
            sent.increment();
            return true;
        }
        unsent.increment();
        if (result != -Errno.EAGAIN && result != -Errno.ENOBUFS && result != -Errno.ENOMEM) {
            // No lack of room, but a matter of the address, the network or the rules: somebody may have to see to it.
            set.failures().log("a datagram of " + this + " was not sent", Errno.exception("sendto", result));
        }
        return false;
    }

    private final class Events implements EventHandler {

        @Override
        public void handleEvent(Handle own, int ready) throws IOException {
            Datagram datagram = freeOrRetry();
            if (datagram == null) {
                return;
            }
            datagram.inUse(true);
            try {
                boolean several = set.pool().config().threads() > 1;
                for (int taken = 0; taken < DATAGRAMS_MAX; taken++) {
                    if (!receive(datagram)) {
                        return;
                    }
                    if (several) {
                        // An edge came once for all that wait: whoever is free takes the next. Nobody is: this thread.
                        own.post(Ready.READ);
                        deliver(datagram);
                        return;
                    }
                    deliver(datagram);
                    set.setInterruptAside(); // left by the handler, and not for the next datagram
                }
                own.post(Ready.READ);
            } finally {
                datagram.inUse(false);
                idle.offer(datagram); // else it is left to the garbage collector
            }
        }

        /** Null: there is no memory for another thread's buffer, and the handler is called again later. */
        private Datagram freeOrRetry() {
            try {
                return free();
            } catch (OutOfMemoryError exhausted) {
                set.failures().log("there is no memory to receive datagrams, which is tried again", exhausted);
                handle.scheduleTimer(set.nanoTime() + RETRY.toNanos());
                return null;
            }
        }

        @Override
        public void handleClosed(Handle own, Throwable cause) {
            use.writeLock().lock();
            try {
                released = true;
                set.closeQuietly(fd);
            } finally {
                use.writeLock().unlock();
            }
            handler.closed(UdpSocket.this, cause);
        }
    }

    /** Receives a datagram and handles each errno of recvfrom(2). Returns false if none is available now. */
    private boolean receive(Datagram datagram) throws IOException {
        for (int asked = 0; asked < DATAGRAMS_MAX; asked++) {
            PeerAddress sender = datagram.peer();
            sender.prepare();
            int result = kernel.recvfrom(
                    fd, datagram.receivedAddress(), BYTES_MAX, 0, sender.address(), sender.lengthAddress());
            if (result >= 0) {
                datagram.filled(result);
                return true;
            }
            switch (-result) {
                case Errno.EAGAIN -> {
                    return false;
                }
                case Errno.EINTR -> {
                    // again
                }
                // A network error about a datagram that was sent earlier; the kernel reports each error once.
                case Errno.ECONNREFUSED,
                        Errno.ECONNRESET,
                        Errno.EHOSTDOWN,
                        Errno.EHOSTUNREACH,
                        Errno.EMSGSIZE,
                        Errno.ENETDOWN,
                        Errno.ENETUNREACH,
                        Errno.ENOPROTOOPT,
                        Errno.EPROTO -> reported.increment();
                case Errno.ENOBUFS, Errno.ENOMEM -> {
                    handle.scheduleTimer(set.nanoTime() + RETRY.toNanos()); // no edge will tell when there is some
                    return false;
                }
                default -> throw Errno.exception("recvfrom at " + localAddress, result);
            }
        }
        handle.post(Ready.READ); // other handles get their turn first
        return false;
    }

    private void deliver(Datagram datagram) {
        received.increment();
        try {
            handler.datagram(this, datagram);
        } catch (
                Throwable
                        thrown) { // StackOverflowError and OutOfMemoryError, too: one datagram must not end the socket
            failed.increment();
            if (FatalErrors.endsThread(thrown)) {
                throw (VirtualMachineError) thrown;
            }
            if (thrown instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            set.setInterruptAside(); // a logger that writes to a channel would close it
            set.failures().log("the handler of " + this + " failed, the datagram is lost", thrown);
        } finally {
            datagram.handled();
        }
    }

    @Override
    public String toString() {
        return "datagram socket " + localAddress;
    }
}
