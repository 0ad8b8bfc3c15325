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
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;

/**
 * Leadership in a ring that several threads serve. Only one thread, the owner, enters the ring. While a handler blocks the owner, another
 * thread, the deputy, leads with the help of an epoll set. All threads share a lock. The page doc-files/relief.html has a drawing and the
 * invariants.
 */
final class Relief implements SubmissionQueue.Sender {
    private static final long WAKEUP_KEY = -1;
    private static final int INPUT = StreamRequests.INPUT_EVENTS | Epoll.EPOLLET;
    private static final int NS_PER_MS = 1_000_000;

    private final RingHandleSet set;
    private final Ring ring;
    private final Kernel kernel;
    private final ReentrantLock lock = new ReentrantLock();
    private final Outbox outbox = new Outbox();
    private final int epollFd;
    private final int eventFd;

    /** Memory for a struct epoll_event, followed by the eight bytes that wake a deputy. */
    private final ByteBuffer control;

    private final long controlAddress;
    private final ByteBuffer events;
    private final long eventsAddress;

    /** True from a deputy's first turn until the owner leads again. Meanwhile the owner does not enter the ring. Changed under the lock. */
    private volatile boolean on;

    /** True if the kernel keeps received bytes that only the owner can see. Then no thread reads a socket. Guarded by the lock. */
    private boolean blind;

    /** True if no deputy held a connection when the owner was about to enter its ring. Used by the owner. */
    private boolean entersAlone;

    private final AtomicInteger deputies = new AtomicInteger();

    private final AtomicInteger unwatched = new AtomicInteger();

    /** Connections whose sockets were full during this relief. Guarded by the lock. */
    private final List<StreamRequests> blocked = new ArrayList<>();

    private final LongAdder takeovers = new LongAdder();
    private final LongAdder blindTakeovers = new LongAdder();

    /** Guards {@code control} and {@code closed}, so that a late wake-up does not use a closed descriptor. */
    private final Object closing = new Object();

    private boolean closed;

    /**
     * Requests whose events deputies have harvested. Their sockets may have bytes that no request has taken, and that epoll does not report
     * again. Some may be closed. A paused connection leaves the list, and joins it again when it resumes. Guarded by the lock.
     */
    private final List<HandleRequests> reported = new ArrayList<>();

    /** Length at which closed requests leave {@link #reported}, because the list would keep growing while the owner is away. */
    private int pruneAt = HandleSet.HARVEST_MAX;

    private int harvested;

    private int position;
    private int ready;

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

    void enter() {
        lock.lock();
    }

    void leave() {
        lock.unlock();
    }

    boolean isOn() {
        return on;
    }

    /** Called by the owner while it leads and runs no handler. Returns true if no other thread runs a handler. */
    boolean isAlone() {
        return !on && deputies.get() == 0;
    }

    /** Called with the lock. Returns true if the claim holder may read the socket by recv(2). */
    boolean mayRead() {
        return on && !blind;
    }

    /** Called with the lock. Returns true if the calling thread must send by send(2), without the ring. */
    boolean sendsAtOnce() {
        return on || !ring.isOwner();
    }

    /** Called with the lock. Returns the queue for the caller's requests. If another thread calls while the owner leads, wakes it. */
    SubmissionWriter submissions() {
        if (on) {
            return outbox;
        }
        if (ring.isOwner()) {
            emptyOutbox(); // a cancellation must not overtake the request that it ends
            return ring.submissions();
        }
        set.wakeup();
        return outbox;
    }

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

    long takeovers() {
        return takeovers.sum();
    }

    /** Number of takeovers during which no socket could be read because the completion queue had overflowed. */
    long blindTakeovers() {
        return blindTakeovers.sum();
    }

    /** Called when a deputy begins to lead. Takes the completions that are in the ring's memory. */
    void begin(RingHarvest harvest) {
        deputies.incrementAndGet();
        enter();
        try {
            boolean first = !on;
            if (first) {
                watchAnew(); // if this fails for lack of memory, the next call repeats it
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

    void end() {
        if (!on) {
            return;
        }
        enter();
        try {
            if (set.isQuiet()) { // no request could be armed before the owner arrived
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
            for (Handle handle = next(); handle != null; handle = next()) { // harvested, but not dispatched
                if (((RingHandle) handle).requests().isHeld()) {
                    handle.post(ready); // the next relief does not watch a paused connection anew
                }
            }
            on = false; // set last: if memory was lacking above, the next call repeats the work
        } finally {
            leave();
        }
    }

    /**
     * Called by the owner after it has entered its ring. If no events are due now, the kernel has received the bytes for all receives that
     * it has taken. Since Linux 6.13, a call leaves some due receives to the next call if there are more than twenty.
     */
    void noteEntered() {
        SubmissionQueue submissions = ring.submissions();
        if (!entersAlone || reported.isEmpty() || submissions.eventsDue() || submissions.pending() > 0) {
            return;
        }
        enter();
        try {
            reported.removeIf(this::needsNoEvent);
        } finally {
            leave();
        }
    }

    private boolean needsNoEvent(HandleRequests requests) {
        requests.listed = requests.reported && !requests.takesAllInput() && !requests.isHeld();
        return !requests.listed;
    }

    /** Makes the kernel report sockets again that were not read until empty. */
    private void watchAnew() {
        for (HandleRequests requests : reported) {
            if (requests.reported && requests.seenByRelief && !requests.isClosed() && !requests.isHeld()) {
                watch(requests, requests.readinessEvents() | Epoll.EPOLLET, Epoll.EPOLL_CTL_MOD);
            }
        }
        reported.forEach(requests -> requests.listed = false);
        reported.clear();
    }

    void beforeEntering() {
        entersAlone = deputies.get() == 0; // read first: a deputy that has ended has queued its requests
        emptyOutbox();
        reported.removeIf(HandleRequests::isClosed); // the owner may wait for long
    }

    /** Called by the owner, with the lock, before it queues a request of its own. */
    void emptyOutbox() {
        outbox.moveTo(ring.submissions());
    }

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
            if (!told) { // memory was lacking: the connection would wait for its send without end
                kernel.shutdown(requests.fd(), Sockets.SHUT_RDWR);
            }
        }
    }

    /** Called when the requests are in the table. A deputy watches their descriptor from its next wait on. */
    void arrived(HandleRequests requests) {
        if (requests.isWatchedByRelief()) {
            unwatched.incrementAndGet();
        }
    }

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

    /** Watches a descriptor by epoll. If the kernel refuses, the descriptor's events wait for the owner. */
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

    /** Called with the lock when the socket is full. Returns false if a request of the ring must wait for room. */
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

    /** Called by a deputy. Rounds the timeout up to whole ms. */
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

    Handle next() {
        while (position < harvested) {
            int offset = position++ * EpollEvent.SIZE_BYTES;
            long key = events.getLong(offset + EpollEvent.DATA_OFFSET);
            HandleRequests requests = key == WAKEUP_KEY ? null : set.table().lookup(key);
            if (requests != null) {
                listReported(requests);
                requests.reported = true;
                int epollEvents = events.getInt(offset + EpollEvent.EVENTS_OFFSET);
                requests.urgentReported |= (epollEvents & Epoll.EPOLLPRI) != 0;
                Handle handle = requests.handle();
                ready = PollRequests.reported(handle, epollEvents);
                return handle;
            }
        }
        return null;
    }

    /** Called by the leading thread when a receive or an accept has ended. Epoll does not report again what it has left in the socket. */
    void inputLeft(HandleRequests requests) {
        if (requests.reported) { // if it is not reported, epoll will report it
            list(requests);
        }
    }

    /** Called with the lock when a receive is armed. During a relief, the list does not help any more. */
    void inputAsked(HandleRequests requests) {
        if (requests.reported && on) {
            watch(requests, requests.readinessEvents() | Epoll.EPOLLET, Epoll.EPOLL_CTL_MOD);
        } else if (requests.reported) {
            list(requests);
        }
    }

    private void listReported(HandleRequests requests) {
        enter();
        try {
            list(requests);
        } finally {
            leave();
        }
    }

    private void list(HandleRequests requests) {
        if (requests.listed) {
            return;
        }
        if (reported.size() >= pruneAt) {
            reported.removeIf(HandleRequests::isClosed);
            pruneAt = Math.max(HandleSet.HARVEST_MAX, 2 * reported.size());
        }
        reported.add(requests);
        requests.listed = true;
    }

    int ready() {
        return ready;
    }

    /** Ends the wait of a deputy. The eventfd need not be read, because epoll reports each write to it. */
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

    /** Called when no thread uses the ring any more. Also closes all descriptors whose close still waits in the outbox. Idempotent. */
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
