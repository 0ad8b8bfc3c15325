package org.cabrank.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.PollDescriptor;
import org.cabrank.kernel.Scheduling;
import org.cabrank.kernel.SchedulingParameter;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.lf.IdleWait;

/**
 * Waits until the descriptor of a handle set is readable, as poll(2) means it: an epoll descriptor is while events wait to be
 * harvested. An epoll set around that of the handle set would do, too; but from then on the kernel would take a lock of the whole system
 * for each descriptor that joins the handle set.
 *
 * <p>If the handle set is closed during a wait, the number may be another file's in the next wait, of which nothing is read.
 */
final class DescriptorIdleWait implements IdleWait {
    private static final long NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    private final Kernel kernel;
    private final CommonCpu commonCpu;
    private final ByteBuffer polled = direct(PollDescriptor.SIZE_BYTES);
    private final ByteBuffer timeout = direct(TimeSpec.SIZE_BYTES);
    private final ByteBuffer parameter = direct(SchedulingParameter.SIZE_BYTES);
    private final long polledAddress;
    private final long timeoutAddress;
    private final long parameterAddress;

    /** @param readable descriptor of the handle set */
    DescriptorIdleWait(Kernel kernel, CommonCpu commonCpu, int readable) {
        this.kernel = kernel;
        this.commonCpu = commonCpu;
        this.polledAddress = kernel.addressOf(polled);
        this.timeoutAddress = kernel.addressOf(timeout);
        this.parameterAddress = kernel.addressOf(parameter);
        polled.putInt(PollDescriptor.FD_OFFSET, readable);
        polled.putShort(PollDescriptor.EVENTS_OFFSET, PollDescriptor.POLLIN);
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public void begin() throws IOException {
        commonCpu.pinCallingThread();
        parameter.putInt(SchedulingParameter.PRIORITY_OFFSET, 0);
        int result = kernel.schedSetscheduler(0, Scheduling.SCHED_IDLE, parameterAddress);
        Errno.check("sched_setscheduler to SCHED_IDLE, perhaps refused by a seccomp filter", result);
    }

    @Override
    public boolean await(long timeoutNs) throws IOException {
        if (!commonCpu.exists()) {
            throw new IOException("the threads of the pool run on several CPUs by now");
        }
        timeout.putLong(TimeSpec.SEC_OFFSET, timeoutNs / NS_PER_S); // each time: the kernel writes what is left
        timeout.putLong(TimeSpec.NSEC_OFFSET, timeoutNs % NS_PER_S);
        int result = kernel.ppoll(polledAddress, 1, timeoutAddress);
        if (result == -Errno.EINTR) {
            return false;
        }
        Errno.check("ppoll", result);
        return result > 0 && (polled.getShort(PollDescriptor.REVENTS_OFFSET) & PollDescriptor.POLLIN) != 0;
    }

    @Override
    public void giveWay() {
        kernel.schedYield();
    }
}
