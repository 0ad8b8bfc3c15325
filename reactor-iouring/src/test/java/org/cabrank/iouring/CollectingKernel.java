package org.cabrank.iouring;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;

/** Collects garbage during io_uring_register(2), and counts the calls whose memory could have been freed by then. */
final class CollectingKernel extends ForwardingKernel {
    /** By the thread of the test. */
    private WeakReference<ByteBuffer> last = new WeakReference<>(null);

    private boolean collecting;
    private int lost;

    CollectingKernel(Kernel next) {
        super(next);
    }

    /** From now on each call collects garbage, which takes milliseconds. */
    void collect() {
        collecting = true;
    }

    /** Calls during which the buffer whose address was taken last was not reachable. */
    int lost() {
        return lost;
    }

    @Override
    public long addressOf(ByteBuffer direct) {
        last = new WeakReference<>(direct);
        return super.addressOf(direct);
    }

    @Override
    public int ioUringRegister(int fd, int opcode, long arg, int count) {
        if (collecting) {
            System.gc();
            lost += last.get() == null ? 1 : 0;
        }
        return super.ioUringRegister(fd, opcode, arg, count);
    }
}
