package org.cabrank.iouring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.iouring.ring.BufferRing;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoUringRecvmsgOut;
import org.cabrank.kernel.layout.MsgHdr;
import org.cabrank.socket.calls.DatagramSlot;
import org.cabrank.stream.BackendUnavailableException;

/**
 * Provided buffers for datagrams of one size, shared by the sockets of a ring. A multishot receive of messages writes one datagram into
 * each buffer (io_uring_prep_recvmsg_multishot(3); {@link IoUringRecvmsgOut}):
 *
 * <pre>
 * | bytes of: name, control data, payload | flags | name      | control data  | payload |
 * 0                                       12      16          144             400
 * </pre>
 *
 * <p>Invariant: each buffer is either with the kernel, or in the inbound queue of one socket, or in one batch. If the kernel has no buffer,
 * the receive of a socket ends with ENOBUFS. Datagrams then wait in the socket's receive buffer until a buffer is returned.
 */
final class DatagramBuffers {
    private static final int NAME_OFFSET = IoUringRecvmsgOut.SIZE_BYTES;
    private static final int CONTROL_OFFSET = NAME_OFFSET + DatagramSlot.NAME_BYTES;

    /** A receive that has brought a datagram returns at least this number. */
    static final int PAYLOAD_OFFSET = CONTROL_OFFSET + DatagramSlot.CONTROL_BYTES;

    private final RingHandleSet set;
    private final BufferRing ring;
    private final DatagramSlot[] slots;

    private final ByteBuffer header;

    private final long headerAddress;

    /** Sockets whose receive has ended for lack of a buffer. Used by the watcher. */
    private final Queue<DatagramRequests> starved = new ArrayDeque<>();

    private volatile boolean starving;

    private final AtomicInteger sockets = new AtomicInteger();

    DatagramBuffers(RingHandleSet set, int group, int buffers, int bytesMax) throws BackendUnavailableException {
        Kernel kernel = set.kernel();
        this.set = set;
        this.ring = new BufferRing(set.ring(), group, buffers, bufferBytes(bytesMax), false);
        this.slots = new DatagramSlot[buffers];
        for (int i = 0; i < buffers; i++) {
            ByteBuffer memory = ring.view(i).order(ByteOrder.nativeOrder());
            slots[i] = set.slot(i, memory, ring.address(i), NAME_OFFSET, CONTROL_OFFSET, PAYLOAD_OFFSET);
        }
        this.header = ByteBuffer.allocateDirect(MsgHdr.SIZE_BYTES).order(ByteOrder.nativeOrder());
        header.putInt(MsgHdr.NAMELEN_OFFSET, DatagramSlot.NAME_BYTES);
        header.putLong(MsgHdr.CONTROLLEN_OFFSET, DatagramSlot.CONTROL_BYTES);
        this.headerAddress = kernel.addressOf(header);
    }

    static int bufferBytes(int bytesMax) {
        return PAYLOAD_OFFSET + bytesMax;
    }

    int group() {
        return ring.groupId();
    }

    long headerAddress() {
        return headerAddress;
    }

    void join() {
        sockets.incrementAndGet();
    }

    void leave() {
        sockets.decrementAndGet();
    }

    /** Largest number of datagrams that may wait for one socket. The limit leaves buffers to the other sockets. */
    int waitingMax() {
        return sockets.get() > 1 ? Math.max(1, ring.buffers() / 2) : Integer.MAX_VALUE;
    }

    /** If the buffer has no datagram, or if {@code wanted} is false, gives the buffer back to the kernel and returns false. */
    boolean received(int buffer, int bytes, boolean wanted) {
        ring.taken(buffer);
        if (!wanted || bytes < PAYLOAD_OFFSET) {
            giveBack(buffer);
            return false;
        }
        ByteBuffer memory = ring.view(buffer);
        int name = memory.getInt(IoUringRecvmsgOut.NAMELEN_OFFSET);
        int control = memory.getInt(IoUringRecvmsgOut.CONTROLLEN_OFFSET);
        slots[buffer].filled(name, control, memory.getInt(IoUringRecvmsgOut.PAYLOADLEN_OFFSET));
        return true;
    }

    DatagramSlot slot(int buffer) {
        return slots[buffer];
    }

    /** Called by any thread that has the buffer. */
    void giveBack(int buffer) {
        ring.recycle(buffer);
        if (starving) {
            set.wakeup();
        }
    }

    int count() {
        return ring.buffers();
    }

    int free() {
        return ring.free();
    }

    boolean anyFree() {
        return ring.free() > 0;
    }

    void await(DatagramRequests socket) {
        starved.add(socket);
        starving = true;
    }

    /**
     * Called before a wait. Arms starved receives while buffers are free. Returns true if it has armed receives, but not all of them. The wait
     * must then not block, because an armed receive may leave its buffer unused.
     */
    boolean rearmStarved() {
        if (!starving) {
            return false;
        }
        int before = ring.free();
        int free = before;
        while (free > 0 && !starved.isEmpty()) {
            free -= starved.remove().feed() ? 1 : 0;
        }
        starving = !starved.isEmpty();
        return starving && free < before;
    }
}
