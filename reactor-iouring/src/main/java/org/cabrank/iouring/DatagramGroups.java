package org.cabrank.iouring;

import java.util.LinkedHashMap;
import java.util.Map;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.stream.BackendUnavailableException;

/** Provided buffers for each datagram size of a ring's sockets. Used by the watcher only. */
final class DatagramGroups {
    private static final System.Logger LOGGER = System.getLogger(RingHandleSet.class.getName());

    /** Largest number of datagram sizes for which a ring has buffers. Sockets with further sizes receive by system calls. */
    static final int SIZES_MAX = 16;

    /** Largest total size of the buffers for one datagram size. For large datagrams, a ring has fewer buffers than the options request. */
    static final int AREA_BYTES_MAX = 4 << 20;

    private static final int FIRST_GROUP = ReceiveBuffers.GROUP + 1;

    private final RingHandleSet set;
    private final int buffersMax;
    private final Map<Integer, DatagramBuffers> bySize = new LinkedHashMap<>();
    private boolean logged;

    DatagramGroups(RingHandleSet set, RingOptions options) {
        this.set = set;
        this.buffersMax = options.datagramBuffers();
    }

    boolean areWanted() {
        return buffersMax > 0;
    }

    /** If there are no buffers for this size, logs the reason and returns null. */
    DatagramBuffers of(int bytesMax) {
        DatagramBuffers known = bySize.get(bytesMax);
        if (known != null) {
            return known;
        }
        if (bySize.size() == SIZES_MAX) {
            log(
                    "the ring has buffers for " + SIZES_MAX
                            + " sizes of datagrams already; give sockets the same bytesMax",
                    null);
            return null;
        }
        int buffers = Math.min(
                buffersMax, Math.max(1, Integer.highestOneBit(AREA_BYTES_MAX / DatagramBuffers.bufferBytes(bytesMax))));
        try {
            DatagramBuffers made = new DatagramBuffers(set, FIRST_GROUP + bySize.size(), buffers, bytesMax);
            bySize.put(bytesMax, made);
            return made;
        } catch (BackendUnavailableException refused) {
            log(refused.getMessage(), refused);
        } catch (OutOfMemoryError exhausted) {
            log(
                    "there is no memory for " + buffers + " buffers of " + bytesMax
                            + " bytes; raise -XX:MaxDirectMemorySize, or lower RingOptions.withDatagramBuffers",
                    exhausted);
        }
        return null;
    }

    void log(String reason, Throwable cause) {
        if (!logged) {
            logged = true;
            FailureLog.write(
                    LOGGER,
                    System.Logger.Level.WARNING,
                    () -> "datagrams are received by recvmmsg instead of multishot receives: " + reason,
                    cause);
        }
    }

    boolean rearmStarved() {
        boolean moreStarve = false;
        if (!bySize.isEmpty()) {
            for (DatagramBuffers each : bySize.values()) {
                moreStarve |= each.rearmStarved();
            }
        }
        return moreStarve;
    }
}
