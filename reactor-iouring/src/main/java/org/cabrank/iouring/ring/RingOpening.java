package org.cabrank.iouring.ring;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringParams;
import org.cabrank.stream.BackendUnavailableException;

/** The steps that open a ring. If a step fails, the earlier steps are undone. */
final class RingOpening {
    private static final System.Logger LOGGER = System.getLogger(RingOpening.class.getName());

    private final Kernel kernel;
    private final RingOptions options;
    private final ByteBuffer params;
    private final int fd;

    private RingMemory memory;
    private Waker waker;

    private RingOpening(Kernel kernel, RingOptions options, int fd, RingSetup setup) {
        this.kernel = kernel;
        this.options = options;
        this.fd = fd;
        this.params = setup.params();
    }

    static Ring open(Kernel kernel, RingOptions options) throws BackendUnavailableException {
        RingSetup setup = new RingSetup(kernel, options);
        int fd = setup.open();
        if (fd < 0) {
            throw IoUringRefusal.ofSetup(kernel, -fd, options);
        }
        RingOpening opening = new RingOpening(kernel, options, fd, setup);
        boolean opened = false;
        try {
            Ring ring = opening.open();
            opened = true;
            return ring;
        } catch (KernelException refused) {
            throw IoUringRefusal.of(kernel, refused);
        } catch (BackendUnavailableException unfit) {
            throw unfit;
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        } finally {
            if (!opened) {
                opening.giveBack();
            }
        }
    }

    private Ring open() throws IOException {
        Requirements.checkBits(params.getInt(IoUringParams.FEATURES_OFFSET));
        memory = RingMemory.map(kernel, fd, params);
        MessageWaker messages = new MessageWaker(kernel, fd);
        boolean messageRegister = messages.works();
        RingFeatures features = new FeatureProbe(kernel, fd).probe(params, messageRegister);
        LOGGER.log(System.Logger.Level.DEBUG, () -> "ring fd " + fd + "\n" + features.describe());
        Requirements.check(features, options);
        limitWorkers();
        EventfdWaker eventfd = new EventfdWaker(kernel);
        waker = eventfd; // giveBack() closes it if the next step fails
        if (messageRegister) {
            waker = new ReservedWaker(messages, eventfd);
        }
        return new Ring(kernel, features, fd, memory, params, waker, options.ioWait());
    }

    /** Sets the limits of workers. The kernel applies them to each thread that has not used another ring before. */
    private void limitWorkers() throws IOException {
        if (options.boundedWorkersMax() == 0 && options.unboundedWorkersMax() == 0) {
            return;
        }
        ByteBuffer limits = ByteBuffer.allocateDirect(2 * Integer.BYTES).order(ByteOrder.nativeOrder());
        limits.putInt(0, options.boundedWorkersMax());
        limits.putInt(Integer.BYTES, options.unboundedWorkersMax());
        int result = kernel.ioUringRegister(fd, IoUring.IORING_REGISTER_IOWQ_MAX_WORKERS, kernel.addressOf(limits), 2);
        Reference.reachabilityFence(limits);
        Errno.check("io_uring_register of IOWQ_MAX_WORKERS", result);
    }

    private void giveBack() {
        if (waker != null) {
            waker.close();
        }
        if (memory != null) {
            memory.close();
        }
        kernel.close(fd);
    }
}
