package org.cabrank.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.socket.calls.PeerAddress;

/**
 * Memory of datagrams that wait for room in a socket, oldest first, in a ring of bytes. Used by one thread at a time.
 *
 * <pre>
 *              head                                              tail
 *               v                                                 v
 * |    free     | bytes | address length | address | source length | data | padding to 8 | source | ... |  free  |
 *               0       4                8         40              48
 * </pre>
 *
 * <p>If the end of the ring has no room for a whole datagram, the field {@code bytes} at this place holds {@link #SKIP}.
 */
final class WaitingDatagrams {
    private static final int ADDRESS_LENGTH_OFFSET = 4;
    private static final int ADDRESS_OFFSET = 8;
    private static final int SOURCE_LENGTH_OFFSET = 40;

    /** Offset of a flag, which is 1 if the datagram must be sent from the stored source. */
    private static final int SOURCE_REQUIRED_OFFSET = 44;

    private static final int DATA_OFFSET = 48;
    private static final int ALIGNMENT = 8;
    private static final int SKIP = -1;

    private final ByteBuffer memory;
    private final SourcedMessage sourced;
    private final long base;
    private final int capacity;
    private final int datagramsMax;
    private int head;
    private int tail;
    private int count;
    private int used;

    WaitingDatagrams(Kernel kernel, DatagramQueueLimits limits) {
        this.sourced = new SourcedMessage(kernel);
        this.datagramsMax = limits.datagramsMax();
        this.capacity = limits.bytesMax() & -ALIGNMENT;
        this.memory = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
        this.base = kernel.addressOf(memory);
    }

    int count() {
        return count;
    }

    boolean isHalfEmpty() {
        return count <= datagramsMax / 2 && used <= capacity / 2;
    }

    boolean add(PeerAddress to, ByteBuffer from, int offset, int bytes) {
        int needed = sourceOffset(bytes) + to.sourceBytes();
        int at = count == datagramsMax ? SKIP : place(needed);
        if (at == SKIP) {
            return false;
        }
        memory.putInt(at, bytes);
        memory.putInt(at + ADDRESS_LENGTH_OFFSET, to.length());
        to.copyTo(memory, at + ADDRESS_OFFSET);
        memory.putInt(at + SOURCE_LENGTH_OFFSET, to.sourceBytes());
        memory.putInt(at + SOURCE_REQUIRED_OFFSET, to.isSourceRequired() ? 1 : 0);
        memory.put(at + sourceOffset(bytes), to.memory(), to.sourceAt(), to.sourceBytes());
        memory.put(at + DATA_OFFSET, from, offset, bytes);
        tail = at + needed;
        used += needed;
        count++;
        return true;
    }

    private int place(int needed) {
        if (count == 0) {
            head = 0;
            tail = 0;
        }
        boolean wrapped = count > 0 && tail <= head;
        if ((wrapped ? head : capacity) - tail >= needed) {
            return tail;
        }
        if (wrapped || head < needed) {
            return SKIP;
        }
        if (tail < capacity) {
            memory.putInt(tail, SKIP);
        }
        return 0;
    }

    long addressOfDestination() {
        return lengthOfDestination() == 0 ? 0 : base + head() + ADDRESS_OFFSET;
    }

    int lengthOfDestination() {
        return memory.getInt(head() + ADDRESS_LENGTH_OFFSET);
    }

    long addressOfData() {
        return base + head() + DATA_OFFSET;
    }

    /** Address of a {@code struct msghdr} for the oldest datagram and its source; 0 if the kernel chooses the source. */
    long header() {
        return sourceBytes() == 0
                ? 0
                : sourced.prepare(
                        addressOfDestination(),
                        lengthOfDestination(),
                        base + head() + sourceOffset(bytes()),
                        sourceBytes(),
                        addressOfData(),
                        bytes());
    }

    boolean isSourceRequired() {
        return memory.getInt(head() + SOURCE_REQUIRED_OFFSET) != 0;
    }

    private int sourceBytes() {
        return memory.getInt(head() + SOURCE_LENGTH_OFFSET);
    }

    private static int sourceOffset(int bytes) {
        return DATA_OFFSET + bytes + ALIGNMENT - 1 & -ALIGNMENT;
    }

    int bytes() {
        return memory.getInt(head());
    }

    private int head() {
        if (head == capacity || memory.getInt(head) == SKIP) {
            head = 0;
        }
        return head;
    }

    void remove() {
        int size = sourceOffset(bytes()) + sourceBytes();
        head += size;
        used -= size;
        count--;
    }

    int clear() {
        int cleared = count;
        count = 0;
        used = 0;
        return cleared;
    }
}
