package org.cabrank.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.lf.Timers;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.PeerAddress;

/**
 * Queue of a socket's datagrams that wait for room, and the code that sends them.
 *
 * <p>Invariants, guarded by the monitor:
 *
 * <ol>
 *   <li>While a datagram waits, each later one waits behind it or is refused, so the order of one thread's datagrams is kept.
 *   <li>While a datagram waits, a duplicate of the descriptor is watched for room, or the timer of the socket's handle runs. The socket
 *       itself is not watched for room, because the set would report every sent datagram.
 * </ol>
 *
 * <p>Lack of room in the socket (EAGAIN) ends when the descriptor becomes writable. Nothing reports the end of any other lack of room
 * (ENOBUFS, ENOMEM), so sending is tried again after 1 ms.
 */
final class DatagramBacklog implements EventHandler {
    /** Maximum number of datagrams that are sent before other handles have their turn. */
    private static final int SENDS_MAX = 64;

    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final UdpSocket socket;
    private final DescriptorSet set;
    private final DatagramSender sender;
    private final int fd;
    private final DatagramQueueLimits limits;
    private final LongAdder queued = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    /** Written under the monitor. */
    private volatile int waiting;

    // The following fields are guarded by the monitor.

    private WaitingDatagrams datagrams;

    private DescriptorHandle watch;

    /** True if a datagram was refused, and the handler has not been notified of room since. */
    private boolean roomWanted;

    private boolean closing;
    private long closeDeadlineNs;

    DatagramBacklog(UdpSocket socket, DescriptorSet set, DatagramSender sender, int fd, DatagramQueueLimits limits) {
        this.socket = socket;
        this.set = set;
        this.sender = sender;
        this.fd = fd;
        this.limits = limits;
    }

    boolean isWaiting() {
        return waiting > 0;
    }

    DatagramQueueState state() {
        return new DatagramQueueState(waiting, queued.sum(), refused.sum(), dropped.sum());
    }

    /** Queues a datagram. Returns false if the datagram was dropped. The caller keeps the descriptor open during the call. */
    synchronized boolean offer(PeerAddress to, ByteBuffer memory, int offset, int count) {
        boolean taken = !closing && memory() && datagrams.add(to, memory, offset, count);
        if (!taken) {
            refused.increment();
            if (!isWaiting()) {
                logRefusalByEmptyQueue(count);
            } else {
                roomWanted = !closing;
            }
            return false;
        }
        queued.increment();
        waiting = datagrams.count();
        if (watch == null) {
            watchForRoom();
        }
        return true;
    }

    /** Logs a datagram that is too large even for the empty queue. The handler is not notified of room for it later. */
    private void logRefusalByEmptyQueue(int bytes) {
        if (!closing && datagrams != null) {
            set.failures()
                    .logKind(
                            "datagram larger than the queue",
                            () -> "a datagram of " + bytes
                                    + " bytes found no room in the socket, and is too large for the queue of "
                                    + limits.bytesMax() + " bytes of " + socket
                                    + "; raise bytesMax of DatagramQueueLimits",
                            null);
        }
    }

    private boolean memory() {
        if (datagrams == null) {
            try {
                datagrams = new WaitingDatagrams(set.kernel(), limits);
            } catch (OutOfMemoryError exhausted) {
                set.failures()
                        .log(
                                "datagrams of " + socket + " are dropped: no memory for a queue of " + limits.bytesMax()
                                        + " bytes; raise -XX:MaxDirectMemorySize, or lower the limit of the queue",
                                exhausted);
            }
        }
        return datagrams != null;
    }

    /** Restores invariant 2: watches a duplicate of the descriptor, or starts the timer if the duplicate cannot be watched. */
    private void watchForRoom() {
        int duplicate = -1;
        try {
            duplicate = set.kernel().fcntl(fd, FileFlags.F_DUPFD_CLOEXEC, 0);
            Errno.check("fcntl F_DUPFD_CLOEXEC", duplicate);
            watch = set.register(duplicate, Ready.WRITE, this);
        } catch (Throwable refusal) { // even an error, because the datagram is queued already
            if (duplicate >= 0) {
                set.closeQuietly(duplicate);
            }
            socket.handle().scheduleTimer(set.nanoTime() + RETRY_NS);
            set.failures()
                    .log(
                            () -> socket + " cannot be watched for room to send, which is tried every "
                                    + RETRY_NS / 1_000_000
                                    + " ms instead; raise the limit of descriptors (ulimit -n) if there are too many open",
                            refusal);
        }
    }

    @Override
    public void handleEvent(Handle own, int ready) throws IOException {
        send((DescriptorHandle) own);
    }

    /** Called after a failure has closed the duplicate. */
    @Override
    public synchronized void handleClosed(Handle own, Throwable cause) {
        if (own == watch) {
            watch = null;
            if (isWaiting()) {
                socket.handle().scheduleTimer(set.nanoTime() + RETRY_NS);
            }
        }
    }

    void retry() throws IOException {
        if (isWaiting()) {
            send(socket.handle());
        }
    }

    /** @param own handle whose handler makes this call. The descriptor of this handle stays open during the call */
    private void send(DescriptorHandle own) throws IOException {
        boolean notify;
        boolean over;
        synchronized (this) {
            if (own != watch && watch != null) {
                return; // the handle of the duplicate sends
            }
            int result = sendWaiting(own.fd());
            waiting = datagrams.count();
            over = closing && (waiting == 0 || set.nanoTime() - closeDeadlineNs >= 0);
            if (waiting == 0 || over) {
                endWatch();
            } else {
                afterSend(own, result);
            }
            notify = roomWanted && datagrams.isHalfEmpty();
            roomWanted &= !notify;
        }
        if (notify) {
            socket.handle().post(Ready.WRITE);
        }
        if (over) {
            socket.handle().close();
        }
    }

    /** Returns 0, or {@code -errno} if a send found no room. */
    private int sendWaiting(int viaFd) {
        for (int sends = 0; sends < SENDS_MAX && datagrams.count() > 0; sends++) {
            int result = sender.attempt(
                    viaFd,
                    datagrams.header(),
                    datagrams.isSourceRequired(),
                    datagrams.addressOfDestination(),
                    datagrams.lengthOfDestination(),
                    datagrams.addressOfData(),
                    datagrams.bytes());
            if (DatagramSender.isLackOfRoom(result)) {
                return result;
            }
            datagrams.remove();
            sender.note("sendto", result);
        }
        return 0;
    }

    private void endWatch() {
        DescriptorHandle watched = watch;
        watch = null; // first, because handleClosed looks at it
        if (watched != null) {
            watched.close();
        }
    }

    private void afterSend(DescriptorHandle own, int result) throws IOException {
        boolean unreported = own != watch || result != 0 && result != -Errno.EAGAIN;
        if (own == watch && set.deactivation() == Deactivation.ONESHOT) {
            set.interest(own, unreported ? 0 : Ready.WRITE); // 0, because the set would report room at once
        }
        if (result == 0) {
            own.post(own == watch ? Ready.WRITE : Ready.TIMER);
        } else if (unreported) {
            own.scheduleTimer(nextNs());
        } else if (closing) {
            own.scheduleTimer(closeDeadlineNs);
        }
    }

    private long nextNs() {
        long retryNs = set.nanoTime() + RETRY_NS;
        return closing && closeDeadlineNs - retryNs < 0 ? closeDeadlineNs : retryNs;
    }

    /** Refuses further datagrams. Returns true if the backlog sends the waiting datagrams and then closes the socket's handle. */
    synchronized boolean beginClose() {
        if (closing) {
            return isWaiting();
        }
        closing = true;
        roomWanted = false;
        if (!isWaiting() || limits.closeTimeout().isZero()) {
            return false;
        }
        closeDeadlineNs = set.nanoTime() + Timers.delayNs(limits.closeTimeout());
        (watch != null ? watch : socket.handle()).scheduleTimer(nextNs());
        return true;
    }

    synchronized void close() {
        closing = true;
        endWatch();
        if (datagrams != null) {
            int left = datagrams.clear();
            dropped.add(left);
            sender.noteDropped(left);
        }
        waiting = 0;
    }
}
