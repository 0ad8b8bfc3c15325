package org.cabrank.iouring.ring;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringNapi;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.Timers;

/**
 * NAPI busy polling of one ring (IORING_REGISTER_NAPI): a wait looks at the receive queues of network devices before the
 * thread sleeps.
 *
 * <p>With dynamic tracking the kernel looks up the queue of a socket each time it arms a request for that socket, and forgets a
 * queue after 60 s. With static tracking it looks at the queues that this class names: that of each connection, read once when
 * the connection receives first (SO_INCOMING_NAPI_ID), and for as long as the ring exists. A connection whose queue changes
 * later, because the device is set up anew, keeps the ring looking at the old queue.
 */
public final class NapiPolling {
    /** Named bound: queues that one ring looks at, one after the other, in each wait. */
    public static final int QUEUES_MAX = 64;

    private static final System.Logger LOGGER = System.getLogger(NapiPolling.class.getName());

    private static final int NS_PER_US = 1_000;
    private static final int VALUE_OFFSET = IoUringNapi.SIZE_BYTES;
    private static final int LENGTH_OFFSET = VALUE_OFFSET + Integer.BYTES;

    private final Kernel kernel;
    private final int ringFd;
    private final boolean tracking;
    private final String setting;
    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(LENGTH_OFFSET + Integer.BYTES).order(ByteOrder.nativeOrder());
    private final long address;

    /** NAPI ids of the tracked queues. Guarded by the monitor, like the following fields. */
    private final int[] queues = new int[QUEUES_MAX];

    private int count;
    private long beyond;
    private boolean refused;

    private NapiPolling(Kernel kernel, int ringFd, boolean tracking, String setting) {
        this.kernel = kernel;
        this.ringFd = ringFd;
        this.tracking = tracking;
        this.setting = setting;
        this.address = kernel.addressOf(memory);
    }

    /**
     * Registers what the options ask for, before the ring is enabled. Without static tracking it is an optimisation: a refusal is
     * logged, and the ring waits without busy polling.
     */
    static NapiPolling register(Kernel kernel, int ringFd, RingOptions options) {
        if (options.napiBusyPoll().isZero()) {
            return new NapiPolling(kernel, ringFd, false, "not asked for");
        }
        ByteBuffer napi = ByteBuffer.allocateDirect(IoUringNapi.SIZE_BYTES).order(ByteOrder.nativeOrder());
        int forUs = (int) (Timers.delayNs(options.napiBusyPoll()) / NS_PER_US);
        napi.putInt(IoUringNapi.BUSY_POLL_TO_OFFSET, forUs);
        napi.put(IoUringNapi.PREFER_BUSY_POLL_OFFSET, (byte) (options.napiPrefer() ? 1 : 0));
        napi.put(IoUringNapi.OPCODE_OFFSET, (byte) IoUring.IO_URING_NAPI_REGISTER_OP);
        napi.putInt(
                IoUringNapi.OP_PARAM_OFFSET,
                options.napiStatic() ? IoUring.IO_URING_NAPI_TRACKING_STATIC : IoUring.IO_URING_NAPI_TRACKING_DYNAMIC);
        int result = kernel.ioUringRegister(ringFd, IoUring.IORING_REGISTER_NAPI, kernel.addressOf(napi), 1);
        Reference.reachabilityFence(napi);
        if (result >= 0) {
            String setting = forUs + " us" + (options.napiPrefer() ? ", preferred to interrupts" : "");
            return new NapiPolling(kernel, ringFd, options.napiStatic(), setting);
        }
        if (!options.napiStatic()) { // else the ring is refused, with this as the reason
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "rings wait without NAPI busy polling: io_uring_register refuses it with " + Errno.name(-result)
                            + "; Linux has it from 6.9 on, built with CONFIG_NET_RX_BUSY_POLL");
        }
        return new NapiPolling(kernel, ringFd, false, "refused with " + Errno.name(-result));
    }

    /** Returns true if the ring looks at the queues that {@link #track} names. */
    public boolean isStatic() {
        return tracking;
    }

    /**
     * Has the ring look at the receive queue of this socket, if it has one and is not among those that the ring looks at. By the
     * ring's thread.
     */
    public synchronized void track(int socketFd) {
        int queue = queueOf(socketFd);
        if (queue == 0 || isKnown(queue)) {
            return;
        }
        if (count == QUEUES_MAX) {
            beyond++;
            return;
        }
        memory.putLong(0, 0);
        memory.putLong(Long.BYTES, 0);
        memory.put(IoUringNapi.OPCODE_OFFSET, (byte) IoUring.IO_URING_NAPI_STATIC_ADD_ID);
        memory.putInt(IoUringNapi.OP_PARAM_OFFSET, queue);
        int result = kernel.ioUringRegister(ringFd, IoUring.IORING_REGISTER_NAPI, address, 1);
        if (result >= 0 || result == -Errno.EEXIST) {
            queues[count++] = queue;
        } else if (!refused) {
            refused = true;
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the ring does not busy-poll the receive queue with NAPI id " + queue + ", and perhaps others:"
                            + " io_uring_register refuses it with " + Errno.name(-result));
        }
    }

    /** NAPI id of the queue that the last packet of this socket came through; 0: none is known, as on loopback. */
    private int queueOf(int socketFd) {
        memory.putInt(VALUE_OFFSET, 0);
        memory.putInt(LENGTH_OFFSET, Integer.BYTES);
        int result = kernel.getsockopt(
                socketFd,
                Sockets.SOL_SOCKET,
                Sockets.SO_INCOMING_NAPI_ID,
                address + VALUE_OFFSET,
                address + LENGTH_OFFSET);
        return result < 0 ? 0 : memory.getInt(VALUE_OFFSET);
    }

    private boolean isKnown(int queue) {
        for (int i = 0; i < count; i++) {
            if (queues[i] == queue) {
                return true;
            }
        }
        return false;
    }

    /** The setting for people, with the number of queues. */
    public synchronized String state() {
        if (!tracking) {
            return setting;
        }
        return setting + ", static tracking of " + count + " receive queues"
                + (beyond == 0 ? "" : " (" + beyond + " connections came through others, which are beyond the limit)");
    }
}
