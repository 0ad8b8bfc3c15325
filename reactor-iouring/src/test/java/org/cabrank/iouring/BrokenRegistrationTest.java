package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Registrations that are broken off, in the wake-up of the leader or before the kernel knows the descriptor. */
@Timeout(300)
class BrokenRegistrationTest {
    private final BreakingKernel kernel = new BreakingKernel(TestKernel.any());

    /** A kernel in which the wake-ups of one thread are broken off. */
    private static final class BreakingKernel extends ForwardingKernel {
        private final AtomicInteger broken = new AtomicInteger();
        private volatile Thread breaking;
        private volatile boolean waiting;

        BreakingKernel(Kernel next) {
            super(next);
        }

        private void breakOff() {
            if (Thread.currentThread() == breaking) {
                broken.incrementAndGet();
                throw new StackOverflowError("on purpose"); // JUnit ends with an OutOfMemoryError
            }
        }

        @Override
        public int ioUringRegister(int fd, int opcode, long arg, int count) {
            if (opcode == IoUring.IORING_REGISTER_SEND_MSG_RING) {
                breakOff();
            }
            return next().ioUringRegister(fd, opcode, arg, count);
        }

        @Override
        public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
            breakOff();
            waiting |= minComplete > 0 && Thread.currentThread().getName().startsWith("broken");
            return next().ioUringEnter(fd, toSubmit, minComplete, flags, arg, argBytes);
        }

        @Override
        public int write(int fd, long address, int count) {
            breakOff();
            return next().write(fd, address, count);
        }
    }

    private RingHandleSet open() throws IOException {
        try {
            return new RingHandleSet(kernel, Deactivation.CLAIM, Rings.SMALL);
        } catch (BackendUnavailableException refused) {
            return abort(refused.getMessage());
        }
    }

    private int eventFd() throws IOException {
        return Errno.check("eventfd", kernel.eventfd(1, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
    }

    /** The handle stands in the set, so the caller must not get the descriptor back: it would close a descriptor that is watched. */
    @Test
    void handleIsRegisteredAndServedWithTheNextWakeup() throws Exception {
        RingHandleSet set = open();
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("broken", 1));
        pool.start();
        Await.until("the leader waits", () -> kernel.waiting);
        AtomicInteger called = new AtomicInteger();
        EventHandler handler = new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) {
                ByteBuffer value = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
                kernel.read(((DescriptorHandle) handle).fd(), kernel.addressOf(value), Long.BYTES);
                called.incrementAndGet();
            }
        };
        kernel.breaking = Thread.currentThread();
        set.register(eventFd(), Ready.READ, handler);
        kernel.breaking = null;
        assertEquals(1, kernel.broken.get());
        assertEquals(1, set.failures().count(), "the wake-up that was broken off is reported");
        set.wakeup();
        Await.until("it is called", () -> called.get() == 1);
        assertEquals(1, set.table().live());
        pool.close();
        set.close();
        assertEquals(0, set.table().live());
    }

    /** The bits are refused after the handle was admitted; a timer for which there is no memory fails in the same place. */
    @Test
    void handleThatCannotBeStartedIsNoneOfTheSets() throws Exception {
        RingHandleSet set = open();
        int fd = eventFd();
        RingHandle handle =
                (RingHandle) set.newHandle(fd, Ready.READ, (own, ready) -> {}, DescriptorOwner.CALLER, false);
        assertThrows(IllegalArgumentException.class, () -> set.start(handle, Integer.MIN_VALUE, Handle.NO_DEADLINE));
        assertEquals(0, set.handleCount());
        assertEquals(0, set.table().live());
        set.close();
        assertEquals(0, kernel.close(fd));
    }
}
