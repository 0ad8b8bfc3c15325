package org.cabrank.iouring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.BufferRing;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.RingFeatures;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.iouring.ring.Waker;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.Timers;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.calls.DatagramSlot;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.stream.transport.ChunkPool;

/**
 * A handle set over io_uring(7). The kernel lets only one thread, the owner, use a ring. The set of a stream reactor may have further
 * threads. While a handler keeps the owner busy, one of these threads leads ({@link Relief}). All other sets are for a pool of one thread.
 *
 * <p>With {@link Deactivation#CLAIM}, a multishot request watches a descriptor. With {@link Deactivation#ONESHOT}, each turn needs a new
 * request. Queued requests go to the kernel together, at the next wait or at {@link #submitRequests}.
 */
@SuppressWarnings("exports") // protected methods are for reactors of Cabrank
public final class RingHandleSet extends DescriptorSet {
    private final Ring ring;
    private final int batch;
    private final long batchWaitNs;
    private final RequestTable table = new RequestTable();
    private final RequestsToArm arrivals = new RequestsToArm();
    private final PollCheck pollCheck;
    private final SendVectors vectors;
    private final LongAdder stale = new LongAdder();
    private final RingEnd end;
    private final DatagramGroups datagrams;

    private ReceiveBuffers buffers;

    private final Relief relief;

    private RingHarvest harvest;

    /** True from the first wait until the ring is closed. Used by the watcher. */
    private boolean begun;

    /** True before the first wait, and after the last thread has left. While true, the calling thread itself closes descriptors. */
    private volatile boolean quiet = true;

    /** @throws org.cabrank.stream.BackendUnavailableException if io_uring is unavailable. The message has the cause and the remedy. */
    public RingHandleSet(Kernel kernel, Deactivation deactivation, RingOptions options) throws IOException {
        this(kernel, deactivation, options, false);
    }

    RingHandleSet(Kernel kernel, Deactivation deactivation, RingOptions options, boolean relieved) throws IOException {
        super(kernel, deactivation);
        this.batch = options.batch();
        this.batchWaitNs = Timers.delayNs(options.batchWait());
        this.pollCheck = new PollCheck(kernel);
        this.vectors = new SendVectors(kernel);
        this.ring = Ring.open(kernel, options);
        this.relief = relieved ? newRelief() : null;
        this.end = new RingEnd(this);
        this.datagrams = new DatagramGroups(this, options);
    }

    private Relief newRelief() throws IOException {
        try {
            return new Relief(this);
        } catch (Throwable refused) {
            ring.close();
            throw refused;
        }
    }

    Ring ring() {
        return ring;
    }

    Relief relief() {
        return relief;
    }

    /** Called by the claim holder before it changes the requests of a handle. {@link #leave} follows. */
    void enter() {
        if (relief != null) {
            relief.enter();
        }
    }

    void leave() {
        if (relief != null) {
            relief.leave();
        }
    }

    boolean isAlone() {
        return relief == null || relief.isAlone();
    }

    boolean isRelieved() {
        return relief != null && relief.isOn();
    }

    /** Called after {@link #enter}. Returns true if the claim holder may read the socket by recv(2), even if a receive is armed. */
    boolean readsAtOnce() {
        return relief != null && relief.mayRead();
    }

    boolean sendsAtOnce() {
        return relief != null && relief.sendsAtOnce();
    }

    boolean awaitsRoom(StreamRequests requests) {
        return relief != null && relief.awaitsRoom(requests);
    }

    /**
     * Called by the watcher when a receive or an accept has ended. It may have left input in the socket: it was single, or a receive had no
     * buffer, or an accept had no descriptor.
     */
    void inputLeft(HandleRequests requests) {
        if (relief != null) {
            relief.inputLeft(requests);
        }
    }

    /** Called when a receive is armed. It takes the bytes that are in the socket only when the owner enters the ring. */
    void inputAsked(HandleRequests requests) {
        if (relief != null) {
            relief.inputAsked(requests);
        }
    }

    @Override
    protected boolean prefersOneLeader() {
        return relief != null;
    }

    @Override
    protected void turnBegins(boolean regular) {
        if (regular) {
            relief.end();
        } else {
            relief.begin(harvest);
        }
    }

    @Override
    protected void deputyEnds() {
        relief.deputyEnds();
    }

    /** Called once, before the pool starts. */
    ReceiveBuffers provideBuffers(ChunkPool chunks, RingOptions options) throws IOException {
        RingFeatures features = ring.features();
        boolean incremental = options.incremental() && features.incremental();
        BufferRing provided = new BufferRing(
                ring, ReceiveBuffers.GROUP, options.receiveBuffers(), options.receiveBufferBytes(), incremental);
        boolean bundles = options.bundles() && features.bundles() && !incremental;
        buffers = new ReceiveBuffers(this, provided, chunks, incremental, bundles);
        return buffers;
    }

    DatagramGroups datagrams() {
        return datagrams;
    }

    RequestTable table() {
        return table;
    }

    SendVectors vectors() {
        return vectors;
    }

    SubmissionWriter submissions() {
        return relief == null ? ring.submissions() : relief.submissions();
    }

    int batch() {
        return batch;
    }

    long batchWaitNs() {
        return batchWaitNs;
    }

    boolean isQuiet() {
        return quiet;
    }

    /** Returns the features that the kernel has granted. The list is complete after the thread of the ring has started. */
    public String description() {
        return ring.features().describe() + (buffers == null ? "" : buffers.faults());
    }

    /** Number of completions of requests that are unknown or whose descriptor has left the set. */
    public long staleCompletions() {
        return stale.sum();
    }

    /** Number of stream receives that ended because all receive buffers of the ring were in use ({@link RingOptions#receiveBuffers}). */
    public long receivesStarved() {
        return buffers == null ? 0 : buffers.exhaustedCount();
    }

    @Override
    protected DescriptorHandle newHandle(
            int fd, int interest, EventHandler handler, DescriptorOwner owner, boolean concurrent) {
        return new RingHandle(
                this, fd, interest, handler, owner, concurrent, handle -> new PollRequests(this, handle, pollCheck));
    }

    @Override
    protected DescriptorHandle newDatagramHandle(
            int fd, int bytesMax, boolean errorQueue, EventHandler handler, boolean concurrent) {
        if (errorQueue || relief != null || !datagrams.areWanted() || deactivation() == Deactivation.ONESHOT) {
            return super.newDatagramHandle(fd, bytesMax, errorQueue, handler, concurrent);
        }
        return new RingHandle(
                this,
                fd,
                Ready.READ,
                handler,
                DescriptorOwner.CALLER,
                concurrent,
                handle -> new DatagramRequests(this, handle, pollCheck, bytesMax));
    }

    DatagramSlot slot(int number, ByteBuffer memory, long address, int nameAt, int controlAt, int dataAt) {
        return newDatagramSlot(number, memory, address, nameAt, controlAt, dataAt);
    }

    @Override
    protected void closeDatagrams(DescriptorHandle handle) {
        if (((RingHandle) handle).requests() instanceof DatagramRequests requests) {
            requests.closeDescriptor();
        } else {
            super.closeDatagrams(handle);
        }
    }

    void start(RingHandle handle, int posted, long deadlineNs) throws IOException {
        add(handle, posted, deadlineNs);
    }

    @Override
    protected void unwatch(DescriptorHandle handle) {
        enter();
        try {
            HandleRequests requests = ((RingHandle) handle).requests();
            forget(requests, handle.fd());
            requests.retire();
        } finally {
            leave();
        }
    }

    private void forget(HandleRequests requests, int fd) {
        if (relief != null) {
            relief.forget(requests, fd);
        }
    }

    @Override
    protected void watch(DescriptorHandle handle) throws IOException {
        HandleRequests requests = ((RingHandle) handle).requests();
        boolean armed = requests.check();
        table.add(requests);
        if (relief != null) {
            relief.arrived(requests);
        }
        if (armed) {
            arrivals.add(requests); // the watcher arms the requests before its next wait
            wakeForArrivals();
        }
    }

    /** Logs a failure instead of throwing it, because the set already has the descriptor. The next wake-up arms its requests. */
    private void wakeForArrivals() {
        try {
            wakeup();
        } catch (Throwable brokenOff) { // no stack or no memory
            failures().log("a wake-up for a new descriptor was broken off; the descriptor is watched later", brokenOff);
        }
    }

    @Override
    protected void interestSet(DescriptorHandle handle) {
        if (handle.interest() != 0) {
            rearm(handle);
        }
    }

    @Override
    protected void rearm(Handle handle) {
        if (((RingHandle) handle).requests() instanceof PollRequests poll) {
            enter();
            try {
                poll.rearm();
            } finally {
                leave();
            }
        }
    }

    /** Cancels a request. The request may have ended already. Does nothing in a quiet set, because all its requests are cancelled. */
    void cancel(long userData) {
        if (quiet) {
            return;
        }
        submissions().cancel(userData, HandleRequests.anonymous(HandleRequests.CANCEL));
    }

    /** Closes a descriptor after all requests that name it, because another file may get the same number after the close. */
    void closeInOrder(int fd) {
        if (quiet) {
            closeQuietly(fd);
        } else {
            enter();
            try {
                submissions().closeDescriptor(fd, HandleRequests.anonymous(HandleRequests.CLOSE));
            } finally {
                leave();
            }
        }
    }

    void completedWithoutHandle(long userData, int result, int flags) {
        if (userData == Ring.WAKEUP) {
            ring.woken(result, flags);
            return;
        }
        int operation = HandleRequests.operation(userData);
        if (operation == HandleRequests.CLOSE) {
            if (result < 0 && result != -Errno.EINTR) {
                failures().log("closing a descriptor", Errno.exception("close", result));
            }
        } else if (operation != HandleRequests.CANCEL) {
            stale.increment();
        }
    }

    @Override
    protected void requireServable(int threads, boolean eager) {
        if (threads > 1 && relief != null && eager) {
            throw new IllegalArgumentException(
                    this + " cannot be served with eager promotion: the kernel lets only one"
                            + " thread use a ring, and leadership must come back to that thread; use deferred promotion, or epoll");
        }
        if (threads > 1 && relief == null) {
            throw new IllegalArgumentException(this + " cannot be served by " + threads
                    + " threads: the kernel lets only one thread use a ring; use a pool of 1 thread, or epoll");
        }
    }

    @Override
    protected Harvest newHarvest() {
        harvest = new RingHarvest(this);
        return harvest;
    }

    /** Called by the watcher before each wait. Returns true if the watcher must only check for completions and not wait. */
    boolean beginWatching() throws IOException {
        if (!begun) {
            ring.enableHere();
            if (buffers != null) {
                buffers.ownedByCaller();
            }
            begun = true;
            quiet = false;
        }
        enter();
        try {
            if (relief != null) {
                relief.beforeEntering();
            }
            for (HandleRequests requests = arrivals.poll(); requests != null; requests = arrivals.poll()) {
                requests.arm();
            }
            boolean moreStarve = buffers != null && buffers.rearmStarved();
            return datagrams.rearmStarved() || moreStarve;
        } finally {
            leave();
        }
    }

    @Override
    protected void interruptAwait() {
        if (isRelieved()) {
            relief.wake();
            return;
        }
        int result = ring.wake();
        if (result < 0) {
            String what = Waker.isRingGone(result)
                    ? "the ring's descriptor was closed, and not by the ring: it cannot be used any more"
                    : "the leader could not be woken";
            failures().log(what, Errno.exception("wake-up of " + this, result));
        }
    }

    @Override
    protected void submitRequests() {
        if (relief == null) {
            ring.submit(); // if the kernel refuses requests now, the next wait submits them
        } else {
            relief.submit();
        }
    }

    @Override
    protected void lastWatcherLeaves() {
        if (quiet) {
            return;
        }
        for (HandleRequests requests = arrivals.poll(); requests != null; requests = arrivals.poll()) {
            // not armed: closed with the set
        }
        if (relief != null) {
            relief.end();
            relief.emptyOutbox();
        }
        end.endRequests();
        quiet = true; // completions do not arm requests from now on
        try {
            end.awaitQuiet(harvest);
        } catch (IOException left) {
            failures().log("the last thread leaves what ends with the ring only: " + left.getMessage(), left);
        }
    }

    @Override
    protected void closeDescriptor(Handle handle) {
        HandleRequests requests = ((RingHandle) handle).requests();
        enter();
        try {
            synchronized (handle) { // see DescriptorSet.whileOpen
                forget(requests, requests.fd());
                requests.close();
            }
        } finally {
            leave();
        }
    }

    @Override
    public void close() {
        super.close();
        pollCheck.close();
        end.close(begun ? harvest : null);
        if (relief != null) {
            relief.close();
        }
        begun = false; // a second call has nothing to do
    }

    @Override
    public String toString() {
        return "io_uring fd " + ring.fd();
    }
}
