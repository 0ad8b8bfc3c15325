package org.cabrank.socket;

import org.cabrank.kernel.Kernel;
import org.cabrank.socket.calls.DatagramInput;
import org.cabrank.socket.calls.DatagramSlot;

/** Datagrams received together, in the order of arrival. After the handler's call their memory is reused for the next batch. */
public final class DatagramBatch {
    private final Datagram[] datagrams;

    private final ReceiveMemory memory;

    private final DatagramSlot[] slots;

    private UdpSocket socket;
    private int size;

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

    boolean isOfReactor() {
        return memory == null;
    }

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

    boolean isFull() {
        return size == datagrams.length;
    }

    UdpSocket socket() {
        return socket;
    }

    void lend(UdpSocket user) {
        socket = user;
    }

    int receive(int fd) {
        int result = memory.receive(fd, this);
        size = Math.max(0, result);
        return result;
    }

    int take(DatagramInput input) {
        int result = input.take(slots);
        taken = Math.max(0, result);
        for (int i = 0; i < taken; i++) {
            datagrams[i] = ((ReceivedSlot) slots[i]).datagramOf(this);
            size = i + 1;
        }
        return result;
    }

    /** Called after the handler. A second call has no effect. {@code input} is null if the batch has memory of its own. */
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
