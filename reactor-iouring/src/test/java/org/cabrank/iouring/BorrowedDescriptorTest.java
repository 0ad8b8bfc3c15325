package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendUnavailableException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A borrowed descriptor that its owner closes in handleClosed, while the kernel has not taken the poll that names its number. */
@Timeout(300)
class BorrowedDescriptorTest {
    /** More numbers than the rest of the process takes in the meantime: the kernel gives out the lowest that is free. */
    private static final int NUMBERS = 64;

    private final FaultyRings rings = new FaultyRings(TestKernel.any());

    private RingHandleSet open(Deactivation deactivation) throws IOException {
        try {
            return new RingHandleSet(rings, deactivation, RingOptions.DEFAULT);
        } catch (BackendUnavailableException refused) {
            return abort(refused.getMessage());
        }
    }

    /** A descriptor with this number that is readable, and stays so. */
    private int readable(int number) throws IOException {
        int[] taken = new int[NUMBERS];
        int count = 0;
        int fd;
        do {
            fd = Errno.check("eventfd", rings.eventfd(1, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
            taken[count++] = fd;
        } while (fd != number && count < NUMBERS);
        for (int i = 0; i < count - 1; i++) {
            rings.close(taken[i]);
        }
        assertEquals(number, fd, "the number was given out again");
        return fd;
    }

    private long counted(int fd) {
        ByteBuffer value = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        int read = NativeArgument.pass(rings, value, address -> rings.read(fd, address, Long.BYTES));
        return read == Long.BYTES ? value.getLong(0) : -1;
    }

    @ParameterizedTest
    @EnumSource
    void theFileThatGetsTheNumberNextIsNotDisturbed(Deactivation deactivation) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch served = new CountDownLatch(1);
        try (RingHandleSet set = open(deactivation);
                LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("borrowed", 1))) {
            pool.start();
            rings.refuseEnter(Errno.EAGAIN, Integer.MAX_VALUE);
            int fd = rings.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC);
            DescriptorHandle handle = set.registerBorrowed(fd, Ready.READ, new EventHandler() {
                @Override
                public void handleEvent(Handle own, int ready) {
                    calls.incrementAndGet();
                }

                @Override
                public void handleClosed(Handle own, Throwable cause) {
                    rings.close(fd);
                    closed.countDown();
                }
            });
            HandleRequests polling = ((RingHandle) handle).requests();
            Await.until("the poll is queued", () -> polling.underWay() == 1);
            handle.close();
            closed.await();
            int other = readable(fd);

            rings.behave();
            Await.until("the poll has ended", () -> polling.underWay() == 0);

            assertEquals(0, calls.get());
            assertEquals(1, counted(other));
            DescriptorHandle next = set.register(other, Ready.WRITE, (own, ready) -> served.countDown());
            served.await();
            next.close();
        }
    }
}
