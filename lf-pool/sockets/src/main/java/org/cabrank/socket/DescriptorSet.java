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
 * <p>A reactor implements the protected methods; users of the set do not depend on the reactor. With {@link Deactivation#CLAIM} the set
 * reports readiness once, when readiness begins: a handler must continue until the descriptor would block, or post to its handle. With
 * {@link Deactivation#ONESHOT} the set re-arms a handle after each handler call and reports again what is still ready; concurrent handles
 * stay armed as with CLAIM.
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

    /** Makes a handle that is not watched yet, with the arguments of {@link DescriptorHandle}. Any thread. */
    protected abstract DescriptorHandle newHandle(
            int fd, int interest, EventHandler handler, DescriptorOwner owner, boolean concurrent);

    /**
     * Makes a handle for a datagram socket of the caller. Any thread. A reactor that can receive datagrams by itself gives the handle a
     * {@link DescriptorHandle#input}, unless {@code errorQueue} is true, because only readiness reports errors to the handler.
     *
     * @param bytesMax maximum number of bytes kept of a datagram
     */
    protected DescriptorHandle newDatagramHandle(
            int fd, int bytesMax, boolean errorQueue, EventHandler handler, boolean concurrent) {
        return newHandle(fd, Ready.READ, handler, DescriptorOwner.CALLER, concurrent);
    }

    /**
     * Makes the slot for a buffer of the reactor, which identifies the buffer by {@code number}.
     *
     * @param memory memory at {@code address} for sender's address, control data and data; the data fill it from {@code dataAt} on
     * @param nameAt offset of {@code DatagramSlot.NAME_BYTES} bytes for the address of the sender, its length in the last four
     * @param controlAt offset of {@code DatagramSlot.CONTROL_BYTES} bytes for the control data, divisible by 8
     */
    protected final DatagramSlot newDatagramSlot(
            int number, ByteBuffer memory, long address, int nameAt, int controlAt, int dataAt) {
        return new ReceivedSlot(number, memory, address, nameAt, controlAt, dataAt);
    }

    /**
     * Closes the descriptor of a datagram handle. Called inside {@link EventHandler#handleClosed}. A reactor that receives by itself first
     * ends its receives, which would otherwise take datagrams of the next socket with the same number.
     */
    protected void closeDatagrams(DescriptorHandle handle) {
        closeQuietly(handle.fd());
    }

    /** Makes the kernel watch the descriptor, or throws as {@link #register}. Events before the return are kept. Any thread. */
    protected abstract void watch(DescriptorHandle handle) throws IOException;

    /** Ends the kernel's watch and keeps the descriptor open, which moves to another set. Called by the claim holder. */
    protected abstract void unwatch(DescriptorHandle handle);

    /**
     * Called inside the handler, with ONESHOT, after {@link DescriptorHandle#interest} was set. Arms the handle if it waits for events but
     * is not armed for them; {@link #rearm} follows when the handler has returned.
     */
    protected abstract void interestSet(DescriptorHandle handle) throws IOException;

    // ---- for users ----

    /**
     * Returns the sets of a reactor, one for each shard: the threads that serve a shard's connections serve its set, too. Any thread.
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
     * Watches {@code fd} and calls {@code handler} when the descriptor is ready. Any thread. The set owns the descriptor and closes it with
     * the handle, unless this method throws. The descriptor must be non-blocking, because a handler reads until the read would block.
     *
     * @param interest {@link Ready#READ}, {@link Ready#WRITE} or both; 0: errors only, which are always reported
     * @throws IOException if the kernel refuses: EBADF, EEXIST (registered twice), EPERM (a file that poll(2) does not support), ENOSPC
     *     (limit of watched descriptors for this user)
     * @throws IllegalStateException if the set is closed
     */
    public final DescriptorHandle register(int fd, int interest, EventHandler handler) throws IOException {
        return register(fd, interest, handler, DescriptorOwner.SET_WITH_DUPLICATES, false);
    }

    /**
     * As {@link #register}, but the caller keeps the descriptor, and closes it in {@link EventHandler#handleClosed} or later, on any
     * thread. A ring may then still hold one poll that the kernel has not taken, followed by its cancellation. If the number is reused
     * before the kernel takes both, the poll watches the new file for a moment: the poll consumes nothing, and its events are dropped.
     *
     * <p>If the caller closes the descriptor while the handle is open, epoll stops reporting to the handle. With io_uring the handle
     * continues with the former file, is closed because of EBADF, or is called for the file that gets the number next.
     */
    public final DescriptorHandle registerBorrowed(int fd, int interest, EventHandler handler) throws IOException {
        return register(fd, interest, handler, DescriptorOwner.CALLER, false);
    }

    /**
     * As {@link #register}, but several threads may run {@code handler} at once ({@link Handle#isConcurrent}). An edge admits one thread. A
     * handler that may be slow, and expects more data, first posts {@link Ready#READ} to the handle, which admits another thread.
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
     * Sets the events that the handler waits for, as for {@link #register}; 0: none. Must be called inside the handler. With
     * {@link Deactivation#CLAIM} the kernel keeps reporting the interest at registration, because the handle stays armed.
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

    /**
     * Calls {@code action} with the descriptor of a handle that another thread may close; the descriptor stays open during the call. Any
     * thread. Returns false without a call if the handle is closed, because the kernel may have reused the number.
     */
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

    /** Closes a descriptor, and logs an error; the descriptor is closed whatever the kernel answers (close(2)). Any thread. */
    public final void closeQuietly(int fd) {
        int result = kernel.close(fd);
        if (result < 0 && result != -Errno.EINTR) {
            failures().log("closing fd " + fd, Errno.exception("close", result));
        }
    }

    // ---- for reactors ----

    /**
     * Admits a handle and makes the kernel watch it. Any thread. No handler runs before the kernel has accepted the descriptor; until then
     * the caller owns the descriptor, and no other thread may close it. Throws as {@link #register}; the handle is not in the set then.
     *
     * @param posted events that the handler is called with first; 0: none
     * @param deadlineNs deadline of the handle's timer, or {@link Handle#NO_DEADLINE}
     */
    protected final void add(DescriptorHandle handle, int posted, long deadlineNs) throws IOException {
        addInactive(handle, posted, deadlineNs);
        activate(handle);
    }

    /**
     * Moves a descriptor from another set to this set: {@code former} leaves its set, and {@code next}, which has the same descriptor,
     * joins this set. Called by the claim holder of {@code former}. Events that become ready during the move are dispatched afterwards,
     * provided that the kernel reports readiness anew when a descriptor joins a set. Throws as {@link #register}; nothing has changed then.
     *
     * @param handedOver runs when no event finds the former handle any more and none is dispatched to {@code next} yet; may post to
     *     {@code next}
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
            // Half a move cannot be undone: the descriptor belongs to the next handle, and is closed with it.
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
