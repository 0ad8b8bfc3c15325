package org.cabrank.iouring;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringRsrcRegister;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.ResourceLimit;
import org.cabrank.kernel.Resources;

/**
 * A table of files that the kernel keeps for one ring (io_uring_register(2), IORING_REGISTER_FILES2; without files at first since
 * Linux 5.19): a request that names a place in it neither looks a descriptor up nor takes a reference of its own.
 *
 * <p>A stream socket has the place of the number that is its slot in the {@link RequestTable}, if the table goes so far. Who
 * leaves a place counts that among its requests, so whoever has the slot next finds the place empty.
 *
 * <p>A place holds its file as a descriptor does: the peer learns that a socket was closed when both are gone.
 */
final class RegisteredFiles {
    /** Named bound: places of one ring, which cost the kernel 8 bytes each. Sockets beyond it go by their descriptors. */
    static final int PLACES_MAX = 1 << 15;

    /** Stands for the place of a socket that goes by its descriptor. */
    static final int NO_PLACE = -1;

    private static final System.Logger LOGGER = System.getLogger(RegisteredFiles.class.getName());

    private final Ring ring;

    /** Number of places of the table that the kernel has. */
    private final int size;

    /** Number of places that are used: all of the table or none. Decided by the watcher before its first request. */
    private volatile int places;

    private volatile String state;

    /** Memory that the kernel reads when a slot is taken: a descriptor for each slot. Written by the owner of the slot. */
    private final ByteBuffer descriptors;

    private final long descriptorsAddress;

    private final LongAdder taken = new LongAdder();
    private final LongAdder beyond = new LongAdder();
    private final LongAdder refused = new LongAdder();

    private RegisteredFiles(Ring ring, int places, String state) {
        this.ring = ring;
        this.size = places;
        this.places = places;
        this.state = state;
        this.descriptors = ByteBuffer.allocateDirect(places * Integer.BYTES).order(ByteOrder.nativeOrder());
        this.descriptorsAddress = ring.kernel().addressOf(descriptors);
    }

    /**
     * Registers the table. Called before the ring is enabled. The table is an optimisation: a refusal by the kernel is logged, and
     * the table then has no places.
     */
    static RegisteredFiles of(Ring ring, RingOptions options) {
        if (!options.registeredFiles()) {
            return new RegisteredFiles(ring, 0, "not asked for");
        }
        int places = descriptorsMax(ring.kernel());
        ByteBuffer table =
                ByteBuffer.allocateDirect(IoUringRsrcRegister.SIZE_BYTES).order(ByteOrder.nativeOrder());
        table.putInt(IoUringRsrcRegister.NR_OFFSET, places);
        table.putInt(IoUringRsrcRegister.FLAGS_OFFSET, IoUring.IORING_RSRC_REGISTER_SPARSE);
        int result = ring.register(
                IoUring.IORING_REGISTER_FILES2, ring.kernel().addressOf(table), IoUringRsrcRegister.SIZE_BYTES);
        Reference.reachabilityFence(table);
        if (result >= 0) {
            return new RegisteredFiles(ring, places, places + " places");
        }
        LOGGER.log(
                System.Logger.Level.WARNING,
                "rings go by descriptors instead of registered files: io_uring_register refuses a table of " + places
                        + " with " + Errno.name(-result) + "; ENOMEM and EMFILE are limits of memory (cgroup) and of"
                        + " descriptors (ulimit -n)");
        return new RegisteredFiles(ring, 0, "refused with " + Errno.name(-result));
    }

    /** The kernel gives no more places than a process may have descriptors. */
    private static int descriptorsMax(Kernel kernel) {
        ByteBuffer limit = ByteBuffer.allocateDirect(ResourceLimit.SIZE_BYTES).order(ByteOrder.nativeOrder());
        int result = kernel.getrlimit(Resources.RLIMIT_NOFILE, kernel.addressOf(limit));
        Reference.reachabilityFence(limit);
        long soft = result < 0 ? PLACES_MAX : limit.getLong(ResourceLimit.CUR_OFFSET);
        return soft < 0 || soft > PLACES_MAX ? PLACES_MAX : (int) soft; // unlimited is all ones
    }

    /** Watcher, before its first request: uses no places if the kernel has {@link KnownFault#FILES_KEPT_OPEN}. */
    void tryKernel() {
        if (size == 0 || KeptFileTrial.passes(ring)) {
            return;
        }
        places = 0;
        state = "not used, " + KnownFault.FILES_KEPT_OPEN.remedy();
        LOGGER.log(
                System.Logger.Level.WARNING,
                "rings go by descriptors instead of registered files: " + KnownFault.FILES_KEPT_OPEN.remedy()
                        + "; use Linux 6.13 or later");
    }

    /** Maximum number of sockets with a slot; 0: none. */
    int places() {
        return places;
    }

    /** Description for reports. */
    String state() {
        return state;
    }

    // ---- in requests ----

    /** The file of a request of a socket with this place, or with none. */
    static long file(int place, int fd) {
        return place == NO_PLACE ? SubmissionWriter.descriptor(fd) : SubmissionWriter.place(place);
    }

    /**
     * Queues a request that puts this descriptor's file into a place; requests that are queued behind it may name the place.
     * Nothing of the requests may name it before.
     *
     * @return the place, or {@link #NO_PLACE}, and then nothing was queued
     */
    int take(HandleRequests requests, int fd) {
        int place = requests.slot();
        int usable = places;
        if (place >= usable) {
            if (usable > 0) {
                beyond.increment();
            }
            return NO_PLACE;
        }
        taken.increment();
        int offset = place * Integer.BYTES;
        descriptors.putInt(offset, fd);
        requests.begin();
        requests.set()
                .submissions()
                .fillPlace(place, descriptorsAddress + offset, requests.userData(HandleRequests.TAKE_PLACE));
        return place;
    }

    /** Queues a request that empties the place. */
    void leave(HandleRequests requests, int place) {
        requests.begin();
        requests.set().submissions().emptyPlace(place, requests.userData(HandleRequests.LEAVE_PLACE));
    }

    /** Watcher: a place was refused, or was found empty; its socket goes by its descriptor. */
    void noteRefused() {
        refused.increment();
    }

    // ---- counters, and the end ----

    /** Sockets that were given a place. */
    long takenCount() {
        return taken.sum();
    }

    /** Sockets for which the table is too short. */
    long beyondCount() {
        return beyond.sum();
    }

    /** Requests that the kernel has refused because of a place: to put a file there, or to use it. */
    long refusedCount() {
        return refused.sum();
    }

    /**
     * The last watcher, when nothing is under way: empties all places, so that a descriptor that is closed from now on is its
     * socket's end. Otherwise the table would end with the ring, which the kernel takes apart later.
     *
     * @throws IOException when the kernel refuses
     */
    void close() throws IOException {
        if (size > 0) {
            Errno.check("io_uring_register of UNREGISTER_FILES", ring.register(IoUring.IORING_UNREGISTER_FILES, 0, 0));
        }
    }
}
