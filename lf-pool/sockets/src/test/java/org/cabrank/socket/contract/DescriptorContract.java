package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.socket.DescriptorHandle;

/** A set over a kernel that counts its calls and fails by plan. */
public abstract class DescriptorContract extends SetContract<FaultyKernel> {
    @Override
    final FaultyKernel kernelOver(Kernel real) {
        return new FaultyKernel(real);
    }

    @Override
    final void nothingIsLeftIn(FaultyKernel ofTheSet) {
        assertEquals(0, ofTheSet.closedTwice());
    }

    protected final int eventFd() throws IOException {
        return Errno.check("eventfd", kernel.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
    }

    protected static ByteBuffer eight() {
        return ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
    }

    protected final void signal(int fd) {
        ByteBuffer one = eight().putLong(0, 1);
        assertEquals(Long.BYTES, kernel.write(fd, kernel.addressOf(one), Long.BYTES));
    }

    /** Reads the counter of an eventfd or a timerfd. The set calls the handler one thread at a time. */
    protected final class Counting implements EventHandler {
        public final AtomicInteger calls = new AtomicInteger();
        public final AtomicInteger sum = new AtomicInteger();
        public final AtomicInteger closed = new AtomicInteger();

        public Counting() {}

        @Override
        public void handleEvent(Handle handle, int ready) {
            calls.incrementAndGet();
            ByteBuffer value = eight();
            if (kernel.read(((DescriptorHandle) handle).fd(), kernel.addressOf(value), Long.BYTES) == Long.BYTES) {
                sum.addAndGet((int) value.getLong(0));
            }
        }

        @Override
        public void handleClosed(Handle handle, Throwable why) {
            closed.incrementAndGet();
        }
    }
}
