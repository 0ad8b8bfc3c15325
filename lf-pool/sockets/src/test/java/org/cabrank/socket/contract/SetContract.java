package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.socket.DescriptorSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Base of the contracts: a set over a kernel that the test controls. After the test the pool and then the set are closed,
 * and the fixture checks that they leave nothing behind.
 *
 * @param <K> the type of the kernel
 */
@Timeout(300)
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
public abstract class SetContract<K extends Kernel> {
    private static final int OPENED_BEFORE_CLOSED = 64;

    @Parameter
    protected SetMode mode;

    protected K kernel;
    protected DescriptorSet set;
    private LeaderFollowersPool pool;
    private int descriptors;

    /** The kernel that the set is to call, which asks the real one. */
    abstract K kernelOver(Kernel real);

    /** The set and its pool are closed: what the test's kernel has seen. */
    abstract void nothingIsLeftIn(K ofTheSet);

    @BeforeEach
    final void open() throws IOException {
        kernel = kernelOver(mode.kernel().kernel());
        descriptors = OpenDescriptors.count();
        set = mode.open(kernel);
    }

    @AfterEach
    final void nothingIsLeft() {
        if (set == null) {
            return; // the kernel is unavailable
        }
        if (pool != null) {
            pool.close();
        }
        set.close();
        set.close();
        assertEquals(0, set.handleCount());
        assertEquals(descriptors, OpenDescriptors.count());
        nothingIsLeftIn(kernel);
    }

    /** One that was open, and that nobody in this process gets again soon: the kernel gives out the lowest that is free. */
    protected final int closedDescriptor() throws IOException {
        int[] opened = new int[OPENED_BEFORE_CLOSED];
        for (int i = 0; i < opened.length; i++) {
            opened[i] = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_CLOEXEC));
        }
        int highest = 0;
        for (int fd : opened) {
            kernel.close(fd);
            highest = Math.max(highest, fd);
        }
        return highest;
    }

    /** Starts the pool of the mode. */
    protected final LeaderFollowersPool serve() {
        return serve(new LeaderFollowersPool(set, mode.config()));
    }

    /** Starts a pool of the test's own over the set, and closes it after the test. */
    protected final LeaderFollowersPool serve(LeaderFollowersPool chosen) {
        pool = chosen;
        pool.start();
        return pool;
    }
}
