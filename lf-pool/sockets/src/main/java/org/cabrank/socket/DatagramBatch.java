package org.cabrank.socket;

import org.cabrank.kernel.Kernel;
import org.cabrank.socket.calls.DatagramInput;
import org.cabrank.socket.calls.DatagramSlot;

/**
 * Datagrams that have been received together, in the order of arrival, in memory that the next batch takes after the handler's call.
 * They lie in memory of the batch, which one system call has filled, or in memory of the reactor.
 */
public final class DatagramBatch {
    private final Datagram[] datagrams;

    private final ReceiveMemory memory;

    private final DatagramSlot[] slots;

    private UdpSocket socket;
    private int size;

    /** Number of slots to give back. */
    private int taken;

    DatagramBatch(Kernel kernel, DatagramShape shape) {
        this.datagrams = new Datagram[shape.count()];
        this.memory = shape.isOfReactor() ? null : new ReceiveMemory(kernel, shape);
        this.slots = shape.isOfReactor() ? new DatagramSlot[shape.count()] : null;
        for (int i = 0; memory != null && i < datagrams.length; i++) {
            datagrams[i] = memory.datagram(i);
        }
    }

    // ---- for handlers ----

    /** Number of datagrams, from 1. */
    public int size() {
        requireInUse();
        return size;
    }

    /** The datagram at {@code index}, from 0; valid during the handler's call. */
    public Datagram get(int index) {
        requireInUse();
        if (index >= size) {
            throw new IndexOutOfBoundsException("datagram " + index + " of " + size);
        }
        return datagrams[index];
    }

    private void requireInUse() {
        if (socket == null) {
            throw new IllegalStateException("a batch is valid only during the handler's call");
        }
    }

    // ---- for the socket ----

    /** Returns true if the datagrams lie in memory of the reactor. */
    boolean isOfReactor() {
        return memory == null;
    }

    /** Moves the datagrams from an index on to {@code other}, an idle batch of the same shape. */
    void moveTo(DatagramBatch other, int from) {
        for (int i = from; i < size; i++) {
            if (memory == null) {
                other.slots[i - from] = slots[i];
                other.datagrams[i - from] = ((ReceivedSlot) slots[i]).datagramOf(other);
            } else {
                other.datagrams[i - from].copy(datagrams[i], other);
                datagrams[i].handled();
            }
        }
        other.size = size - from;
        other.taken = memory == null ? other.size : 0;
        taken = Math.min(taken, from);
        size = from;
    }

    /** Returns true if there was no room for another datagram. */
    boolean isFull() {
        return size == datagrams.length;
    }

    UdpSocket socket() {
        return socket;
    }

    /** @param user null: the batch is idle */
    void lend(UdpSocket user) {
        socket = user;
    }

    /** Receives datagrams by a system call. Returns their number, or {@code -errno}. */
    int receive(int fd) {
        int result = memory.receive(fd, this);
        size = Math.max(0, result);
        return result;
    }

    /** Takes datagrams that the reactor has received. Returns their number, 0, or {@code -errno}. */
    int take(DatagramInput input) {
        int result = input.take(slots);
        taken = Math.max(0, result);
        for (int i = 0; i < taken; i++) {
            datagrams[i] = ((ReceivedSlot) slots[i]).datagramOf(this);
            size = i + 1;
        }
        return result;
    }

    /**
     * Called when the handler has returned, and again when the batch is no longer used. Returns the reactor's memory.
     *
     * @param input null if the datagrams are in memory of the batch
     */
    void handled(DatagramInput input) {
        int count = size;
        size = 0;
        for (int i = 0; i < count; i++) {
            datagrams[i].handled();
        }
        while (taken > 0) {
            input.giveBack(slots[--taken]);
        }
    }
}
