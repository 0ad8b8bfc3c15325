package org.cabrank.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DatagramSlot;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.stream.StreamReactor;

/**
 * A handle set whose handles are file descriptors (POSA2: Handle Set): sockets, eventfds, timerfds, signalfds, pipes, message queues, and
 * all other files that poll(2) supports.
 *
 * <p>A reactor implements the protected methods. Any thread may call a method, unless its comment names a caller. With
 * {@link Deactivation#CLAIM} the set reports readiness once, when it begins. A handler must therefore continue until the descriptor would
 * block, or post to its handle. With {@link Deactivation#ONESHOT} the set re-arms a handle after each handler call, so that it reports
 * continuing readiness again. Concurrent handles stay armed, as with CLAIM.
 */
@SuppressWarnings("exports") // protected methods are for reactors of Cabrank
public abstract class DescriptorSet extends HandleSet {
    private final Kernel kernel;
    private final ThreadPolicy policy;
    private final IdleBatches idleBatches = new IdleBatches();

    protected DescriptorSet(Kernel kernel, Deactivation deactivation) {
        super(deactivation);
        this.kernel = kernel;
        this.policy = new ThreadPolicy(kernel);
    }

    @Override
    protected final void threadBegins() {
        policy.poolThreadBegins();
    }

    @Override
    protected final void watcherBegins() {
        policy.watcherBegins();
    }

    @Override
    protected final BooleanSupplier newThreadProbe() {
        return KernelThread.current();
    }

    // ---- what a reactor implements ----

    /** Makes a handle that is not watched yet, with the arguments of {@link DescriptorHandle}. */
    protected abstract DescriptorHandle newHandle(
            int fd, int interest, EventHandler handler, DescriptorOwner owner, boolean concurrent);

    /**
     * Makes a handle for a datagram socket that the caller owns. A reactor that can receive datagrams by itself gives the handle a
     * {@link DescriptorHandle#input}. If {@code errorQueue} is true, it must not, because errors are reported only by readiness.
     *
     * @param bytesMax maximum number of bytes kept of a datagram
     */
    protected DescriptorHandle newDatagramHandle(
            int fd, int bytesMax, boolean errorQueue, EventHandler handler, boolean concurrent) {
        return newHandle(fd, Ready.READ, handler, DescriptorOwner.CALLER, concurrent);
    }

    /**
     * Makes the slot for the buffer {@code number} of the reactor.
     *
     * @param memory memory at {@code address} for the sender's address, the control data, and the data from {@code dataAt} on
     * @param nameAt offset of {@code DatagramSlot.NAME_BYTES} bytes for the address, with its length in the last four
     * @param controlAt offset of {@code DatagramSlot.CONTROL_BYTES} bytes for the control data; a multiple of 8
     */
    protected final DatagramSlot newDatagramSlot(
            int number, ByteBuffer memory, long address, int nameAt, int controlAt, int dataAt) {
        return new ReceivedSlot(number, memory, address, nameAt, controlAt, dataAt);
    }

    /**
     * Closes the descriptor of a datagram handle. Called inside {@link EventHandler#handleClosed}. A reactor that receives by itself must
     * end its receives first, because they could take datagrams of the next socket with the same descriptor number.
     */
    protected void closeDatagrams(DescriptorHandle handle) {
        closeQuietly(handle.fd());
    }

    /** Makes the kernel watch the descriptor. Events that occur before this method returns are kept. Throws as {@link #register}. */
    protected abstract void watch(DescriptorHandle handle) throws IOException;

    /** Makes the kernel stop watching a descriptor that moves to another set and stays open. Called by the holder of the handle's claim. */
    protected abstract void unwatch(DescriptorHandle handle);

    /** Arms the handle for its new interest. With ONESHOT, called in the handler that has changed the interest, before {@link #rearm}. */
    protected abstract void interestSet(DescriptorHandle handle) throws IOException;

    // ---- for users ----

    /**
     * Returns the sets of a reactor, one for each shard. The threads of a shard serve its set.
     *
     * @throws IllegalArgumentException if the reactor does not wait for descriptors
     */
    public static List<DescriptorSet> of(StreamReactor reactor) {
        List<DescriptorSet> sets = new ArrayList<>();
        for (LeaderFollowersPool pool : reactor.pools()) {
            for (HandleSet set : pool.handleSets()) {
                if (!(set instanceof DescriptorSet)) {
                    throw new IllegalArgumentException(
                            "the backend " + reactor.backendName() + " has no descriptors: use epoll or io_uring");
                }
                sets.add((DescriptorSet) set);
            }
        }
        return List.copyOf(sets);
    }

    /**
     * Calls {@code handler} when the non-blocking descriptor {@code fd} is ready. The set owns the descriptor and closes it with the
     * handle, unless this method throws.
     *
     * @param interest {@link Ready#READ}, {@link Ready#WRITE} or both. Errors are always reported, even if the interest is 0
     * @throws IOException if the kernel refuses: EBADF, EEXIST (registered twice), EPERM (a file that poll(2) does not support), ENOSPC
     *     (limit of watched descriptors for this user)
     * @throws IllegalStateException if the set is closed
     */
    public final DescriptorHandle register(int fd, int interest, EventHandler handler) throws IOException {
        return register(fd, interest, handler, DescriptorOwner.SET_WITH_DUPLICATES, false);
    }

    /**
     * As {@link #register}, but the caller owns the descriptor. The caller closes the descriptor in {@link EventHandler#handleClosed} or
     * later, on any thread. If the number is reused, a former poll of io_uring may watch the new file for a moment. It consumes
     * nothing, and its events are dropped.
     *
     * <p>If the caller closes the descriptor while the handle is open, epoll stops reporting to the handle. With io_uring the handle
     * continues with the former file, is closed because of EBADF, or is called for the file that gets the number next.
     */
    public final DescriptorHandle registerBorrowed(int fd, int interest, EventHandler handler) throws IOException {
        return register(fd, interest, handler, DescriptorOwner.CALLER, false);
    }

    /**
     * As {@link #register}, but several threads may run {@code handler} at once ({@link Handle#isConcurrent}). Each edge admits one thread.
     * A slow handler that expects more data should first post {@link Ready#READ} to the handle. The post admits another thread.
     */
    public final DescriptorHandle registerConcurrent(int fd, int interest, EventHandler handler) throws IOException {
        return register(fd, interest, handler, DescriptorOwner.SET_WITH_DUPLICATES, true);
    }

    private DescriptorHandle register(
            int fd, int interest, EventHandler handler, DescriptorOwner owner, boolean concurrent) throws IOException {
        Objects.requireNonNull(handler, "handler");
        checkInterest(interest);
        DescriptorHandle handle = newHandle(fd, interest, handler, owner, concurrent);
        add(handle, 0, Handle.NO_DEADLINE);
        return handle;
    }

    private static void checkInterest(int interest) {
        if ((interest & ~(Ready.READ | Ready.WRITE)) != 0) {
            throw new IllegalArgumentException("READ and WRITE can be waited for, not " + Ready.describe(interest)
                    + " (0x" + Integer.toHexString(interest) + ")");
        }
    }

    /**
     * Sets the events that the handler waits for: {@link Ready#READ}, {@link Ready#WRITE}, both, or 0 for none. Must be called inside the
     * handler. With {@link Deactivation#CLAIM} the kernel still reports the events of the registration, because the handle stays armed.
     *
     * @throws IOException if the kernel refuses to arm the handle
     */
    public final void interest(DescriptorHandle handle, int interest) throws IOException {
        checkInterest(interest);
        handle.interest(interest);
        if (deactivation() == Deactivation.ONESHOT) {
            interestSet(handle);
        }
    }

    /** Kernel for handlers that make system calls themselves. */
    public final Kernel kernel() {
        return kernel;
    }

    final IdleBatches idleBatches() {
        return idleBatches;
    }

    /** Calls {@code action} with the descriptor, which stays open meanwhile. Returns false if the handle is closed. */
    public static boolean whileOpen(DescriptorHandle handle, IntConsumer action) {
        Objects.requireNonNull(action, "action");
        synchronized (handle) { // reactors close the descriptor under this monitor
            boolean open = !handle.isClosed();
            if (open) {
                action.accept(handle.fd());
            }
            return open;
        }
    }

    /** Closes a descriptor. An error is only logged, because the kernel closes the descriptor even if it reports an error (close(2)). */
    public final void closeQuietly(int fd) {
        int result = kernel.close(fd);
        if (result < 0 && result != -Errno.EINTR) {
            failures().log("closing fd " + fd, Errno.exception("close", result));
        }
    }

    // ---- for reactors ----

    /**
     * Admits a handle and makes the kernel watch it. Until the kernel has accepted the descriptor, no handler runs, and only the caller
     * may close the descriptor. If this method throws (as {@link #register} does), the handle is not in the set.
     *
     * @param posted events that the handler is called with first; 0 for none
     * @param deadlineNs deadline of the handle's timer, or {@link Handle#NO_DEADLINE}
     */
    protected final void add(DescriptorHandle handle, int posted, long deadlineNs) throws IOException {
        addInactive(handle, posted, deadlineNs);
        activate(handle);
    }

    /**
     * Moves a descriptor from another set to this set. {@code former} leaves its set, and {@code next} joins this set. Called by the
     * holder of the claim of {@code former}. Events that occur during the move are dispatched after it, provided that the kernel reports
     * readiness when a descriptor joins a set. If the kernel refuses the descriptor, throws as {@link #register} and changes nothing.
     *
     * @param handedOver called after the last event of {@code former} and before the first event of {@code next}. May post to {@code next}
     */
    public final void takeOver(DescriptorHandle former, DescriptorHandle next, Runnable handedOver) throws IOException {
        Objects.requireNonNull(former, "former");
        Objects.requireNonNull(handedOver, "handedOver");
        addInactive(next, 0, Handle.NO_DEADLINE);
        DescriptorSet from = (DescriptorSet) former.handleSet();
        try {
            from.unwatch(former);
            from.dismiss(former);
            handedOver.run();
        } catch (Throwable failed) {
            // The move cannot be undone now. The descriptor belongs to the next handle, and is closed with it.
            if (!former.isClosed()) {
                from.dismiss(former);
            }
            next.close();
            activate(next);
            throw failed;
        }
        activate(next);
    }

    private void addInactive(DescriptorHandle handle, int posted, long deadlineNs) throws IOException {
        admitInactive(handle);
        try {
            if (posted != 0) {
                handle.post(posted);
            }
            if (deadlineNs != Handle.NO_DEADLINE) {
                handle.scheduleTimer(deadlineNs);
            }
            watch(handle);
        } catch (Throwable refused) { // even an error, because the caller closes the descriptor, whose number is reused
            dismiss(handle);
            throw refused;
        }
    }
}
