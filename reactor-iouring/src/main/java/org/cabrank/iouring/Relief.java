package org.cabrank.iouring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.cabrank.iouring.ring.Outbox;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionQueue;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.EpollEvent;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;

/**
 * The other threads of a ring with several: the lock that they and the ring's owner share, and the epoll set by which one of them
 * leads while a handler keeps the owner. The drawing and the invariants stand in the module's README.
 *
 * <p>"Owner" below means: the only thread that enters the ring. "Held" means: the calling thread has the lock.
 */
final class Relief implements SubmissionQueue.Sender {
    private static final long WAKEUP_KEY = -1;
    private static final int INPUT = Epoll.EPOLLIN | Epoll.EPOLLRDHUP | Epoll.EPOLLET;
    private static final int NS_PER_MS = 1_000_000;

    private final RingHandleSet set;
    private final Ring ring;
    private final Kernel kernel;
    private final ReentrantLock lock = new ReentrantLock();
    private final Outbox outbox = new Outbox();
    private final int epollFd;
    private final int eventFd;

    /** A struct epoll_event for epoll_ctl, and the eight bytes that wake a waiting deputy. */
    private final ByteBuffer control;

    private final long controlAddress;
    private final ByteBuffer events;
    private final long eventsAddress;

    /** A deputy leads, or has led last: the owner does not enter its ring. Changed with the lock held. */
    private volatile boolean on;

    /** Bytes may stand in front of those in the sockets, where only the owner sees them. Guarded by the lock. */
    private boolean blind;

    /**
     * The owner has entered its ring since the last relief, when no deputy held a connection any more. Otherwise sockets may have
     * bytes whose edge a relief has harvested, and no armed receive. By the thread that leads.
     */
    private boolean entered = true;

    /** The owner is about to enter, and no deputy holds a connection. By the owner. */
    private boolean entersAlone;

    /** Turns of deputies under way. */
    private final AtomicInteger deputies = new AtomicInteger();

    /** Requests in the table that a deputy watches from its next wait on. */
    private final AtomicInteger unwatched = new AtomicInteger();

    /** Connections whose sockets had no room during this relief. Guarded by the lock. */
    private final List<StreamRequests> blocked = new ArrayList<>();

    private final LongAdder takeovers = new LongAdder();
    private final LongAdder blindTakeovers = new LongAdder();

    /** Guards the descriptors against {@link #close}: a wake-up may be late. */
    private final Object closing = new Object();

    private boolean closed;

    /** Of the last wait; by the deputy that leads. */
    private int harvested;

    private int position;
    private int ready;

    /** @throws IOException when the process may have no more descriptors */
    Relief(RingHandleSet set) throws IOException {
        this.set = set;
        this.ring = set.ring();
        this.kernel = set.kernel();
        this.control = direct(EpollEvent.SIZE_BYTES + Long.BYTES);
        this.controlAddress = kernel.addressOf(control);
        this.events = direct(HandleSet.HARVEST_MAX * EpollEvent.SIZE_BYTES);
        this.eventsAddress = kernel.addressOf(events);
        control.putLong(EpollEvent.SIZE_BYTES, 1);
        epollFd = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
        eventFd = kernel.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC);
        int added = eventFd < 0
                ? eventFd
                : control(Epoll.EPOLL_CTL_ADD, eventFd, Epoll.EPOLLIN | Epoll.EPOLLET, WAKEUP_KEY);
        if (added < 0) {
            close();
            throw Errno.exception(eventFd < 0 ? "eventfd" : "epoll_ctl", added);
        }
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    // ---- the lock ----

    void enter() {
        lock.lock();
    }

    void leave() {
        lock.unlock();
    }

    // ---- who does what ----

    /** Any thread: returns true while a deputy stands in for the owner. */
    boolean isOn() {
        return on;
    }

    /** Owner, while it leads and runs no handler: returns true if no other thread runs a handler either. */
    boolean isAlone() {
        return !on && deputies.get() == 0;
    }

    /** Held: returns true if the holder of a claim reads the socket. */
    boolean mayRead() {
        return on && !blind;
    }

    /** Held: returns true if the calling thread sends by send(2) instead of the ring. */
    boolean sendsAtOnce() {
        return on || !ring.isOwner();
    }

    /** Held: where the calling thread puts its requests. The owner is woken to take them, unless it is away. */
    SubmissionWriter submissions() {
        if (on) {
            return outbox;
        }
        if (ring.isOwner()) {
            emptyOutbox(); // an end must not overtake what it ends
            return ring.submissions();
        }
        set.wakeup();
        return outbox;
    }

    /** Submits the requests of handlers, if the calling thread is the owner and is not relieved. */
    void submit() {
        enter();
        try {
            if (!on && ring.isOwner()) {
                ring.submit();
            }
        } finally {
            leave();
        }
    }

    /** Times that a deputy took over from the owner. */
    long takeovers() {
        return takeovers.sum();
    }

    /** Times that a deputy could read no socket because the completion queue had overflowed. */
    long blindTakeovers() {
        return blindTakeovers.sum();
    }

    // ---- the change ----

    /** A deputy begins to lead: takes what lies in the memory of the ring. */
    void begin(RingHarvest harvest) {
        deputies.incrementAndGet();
        enter();
        try {
            boolean first = !on;
            if (first) {
                watchAnew(); // for want of memory it may fail, and begins anew then
            }
            blind = true;
            on = true;
            harvest.takeLeft(true);
            ring.submissions().withdrawSends(this, HandleRequests.anonymous(HandleRequests.CANCEL));
            blind = ring.completions().overflowed();
            if (first) {
                takeovers.increment();
                if (blind) {
                    blindTakeovers.increment();
                }
            }
        } finally {
            leave();
        }
    }

    void deputyEnds() {
        deputies.decrementAndGet();
    }

    /** The owner leads again. When this returns, no other thread reads a socket. */
    void end() {
        if (!on) {
            return;
        }
        enter();
        try {
            if (set.isQuiet()) { // nothing could be armed before the owner has come
                set.table().all().forEach(requests -> requests.handle().post(Ready.READ));
            }
            for (StreamRequests requests : blocked) {
                requests.roomAwaited(false);
                if (!requests.isClosed()) {
                    watch(requests, INPUT, Epoll.EPOLL_CTL_MOD);
                    requests.handle().post(Ready.WRITE);
                }
            }
            blocked.clear();
            on = false; // last: what fails for want of memory is done by the next call
        } finally {
            leave();
        }
    }

    /** Owner, which has entered its ring: the ring has got all that sockets had. */
    void noteEntered() {
        entered |= entersAlone;
    }

    /** Has the kernel report once more what it has reported and nobody has read, unless the owner has seen to it. */
    private void watchAnew() {
        if (!entered) {
            while (next() != null) {
                // harvested when the owner came back, and not dispatched
            }
            for (HandleRequests requests : set.table().all()) {
                if (requests.reported && requests.seenByRelief && !requests.isClosed()) {
                    watch(requests, requests.readinessEvents() | Epoll.EPOLLET, Epoll.EPOLL_CTL_MOD);
                }
            }
        }
        entered = false;
    }

    /** Owner, held, before it enters its ring. */
    void beforeEntering() {
        entersAlone = deputies.get() == 0; // before the outbox: who has ended has asked for what it wants
        emptyOutbox();
    }

    /** Owner, held, before it queues a request of its own. */
    void emptyOutbox() {
        outbox.moveTo(ring.submissions());
    }

    /** Makes a send that the owner has queued and not submitted. */
    @Override
    public int send(long userData, long address, int bytes) {
        if (HandleRequests.operation(userData) != HandleRequests.SEND
                || !(set.table().lookup(userData) instanceof StreamRequests requests)) {
            return LEFT;
        }
        int flags = Sockets.MSG_NOSIGNAL | Sockets.MSG_DONTWAIT;
        int result = bytes == 0
                ? kernel.sendmsg(requests.fd(), address, flags)
                : kernel.send(requests.fd(), address, bytes, flags);
        return HandleRequests.isToBeAskedAgain(result) ? LEFT : result;
    }

    @Override
    public void sent(long userData, int result) {
        HandleRequests requests = set.table().lookup(userData);
        boolean told = false;
        try {
            int bits = requests.completed(HandleRequests.SEND, result, 0);
            if (bits != 0) {
                requests.handle().post(bits);
            }
            told = true;
        } finally {
            if (!told) { // for want of memory: the connection would wait for the end of its send
                kernel.shutdown(requests.fd(), Sockets.SHUT_RDWR);
            }
        }
    }

    // ---- the epoll set ----

    /** Any thread: the requests stand in the table now, and a deputy watches their descriptor from its next wait on. */
    void arrived(HandleRequests requests) {
        if (requests.isWatchedByRelief()) {
            unwatched.incrementAndGet();
        }
    }

    /** Held: the descriptor is about to be closed, or to leave the set. */
    void forget(HandleRequests requests, int fd) {
        if (!requests.isWatchedByRelief()) {
            return;
        }
        if (!requests.seenByRelief) {
            unwatched.decrementAndGet();
            requests.seenByRelief = true;
        } else {
            control(Epoll.EPOLL_CTL_DEL, fd, 0, 0);
        }
    }

    private void watchArrived() {
        if (unwatched.get() == 0) {
            return;
        }
        for (HandleRequests requests : set.table().all()) {
            if (requests.isWatchedByRelief() && !requests.seenByRelief && !requests.isClosed()) {
                unwatched.decrementAndGet();
                requests.seenByRelief = true;
                watch(requests, requests.readinessEvents() | Epoll.EPOLLET, Epoll.EPOLL_CTL_ADD);
            }
        }
    }

    /** A descriptor that the kernel does not watch waits for the owner. */
    private void watch(HandleRequests requests, int epollEvents, int operation) {
        int result = control(operation, requests.fd(), epollEvents, requests.userData(0));
        if (result < 0) {
            set.failures().log("watching " + requests + " without its ring", Errno.exception("epoll_ctl", result));
        }
    }

    private int control(int operation, int fd, int epollEvents, long key) {
        synchronized (closing) {
            control.putInt(EpollEvent.EVENTS_OFFSET, epollEvents);
            control.putLong(EpollEvent.DATA_OFFSET, key);
            return kernel.epollCtl(epollFd, operation, fd, controlAddress);
        }
    }

    /** Held: the socket has no room. Returns false if the ring is to wait for room. */
    boolean awaitsRoom(StreamRequests requests) {
        if (!on) {
            return false;
        }
        if (requests.roomAwaited(true)) {
            blocked.add(requests);
            watchArrived();
            watch(requests, INPUT | Epoll.EPOLLOUT, Epoll.EPOLL_CTL_MOD);
        }
        return true;
    }

    /** Deputy: as {@link org.cabrank.lf.handle.Harvest#await}. A time is rounded up to whole ms. */
    int await(long timeoutNs) throws IOException {
        enter();
        try {
            watchArrived();
        } finally {
            leave();
        }
        position = 0;
        harvested = 0;
        int result = timeoutNs == 0
                ? kernel.epollPoll(epollFd, eventsAddress, HandleSet.HARVEST_MAX)
                : kernel.epollWait(epollFd, eventsAddress, HandleSet.HARVEST_MAX, ms(timeoutNs));
        if (result < 0 && result != -Errno.EINTR) {
            throw Errno.exception("epoll_wait", result);
        }
        harvested = Math.max(0, result);
        return harvested;
    }

    private static int ms(long timeoutNs) {
        return timeoutNs == HandleSet.FOREVER ? -1 : (int) Math.min(Integer.MAX_VALUE, (timeoutNs - 1) / NS_PER_MS + 1);
    }

    /** Deputy: as {@link org.cabrank.lf.handle.Harvest#next}. */
    Handle next() {
        while (position < harvested) {
            int offset = position++ * EpollEvent.SIZE_BYTES;
            long key = events.getLong(offset + EpollEvent.DATA_OFFSET);
            HandleRequests requests = key == WAKEUP_KEY ? null : set.table().lookup(key);
            if (requests != null) {
                requests.reported = true;
                ready = PollRequests.readyOf(events.getInt(offset + EpollEvent.EVENTS_OFFSET));
                return requests.handle();
            }
        }
        return null;
    }

    int ready() {
        return ready;
    }

    /** Any thread: ends the wait of a deputy. The eventfd is never read: each write is a new edge. */
    void wake() {
        int result;
        synchronized (closing) {
            if (closed) {
                return;
            }
            do {
                result = kernel.write(eventFd, controlAddress + EpollEvent.SIZE_BYTES, Long.BYTES);
            } while (result == -Errno.EINTR);
        }
        if (result < 0) {
            set.failures().log("the leader could not be woken", Errno.exception("write to eventfd", result));
        }
    }

    /** Nobody uses the ring any more. Descriptors that the owner was to close are closed. Idempotent. */
    void close() {
        synchronized (closing) {
            if (closed) {
                return;
            }
            closed = true;
        }
        outbox.takePendingCloses(HandleRequests.anonymous(HandleRequests.CLOSE), set::closeQuietly);
        if (eventFd >= 0) {
            kernel.close(eventFd);
        }
        kernel.close(epollFd);
    }
}
