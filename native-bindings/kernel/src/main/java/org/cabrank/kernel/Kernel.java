package org.cabrank.kernel;

/**
 * All calls of this process to the Linux kernel.
 *
 * <p>Descriptors are {@code int}, addresses are {@code long}. Like the kernel itself, a method returns a failure as {@code -errno}: no
 * exception, no allocation, no thread-local state. {@link Errno} names the numbers and makes exceptions off the hot path.
 *
 * <p>Any thread may call any method. No method retries: the caller handles {@code EINTR}. A caller that passes an address must keep the
 * memory there valid.
 */
public interface Kernel
        extends SocketCalls,
                FileCalls,
                EpollCalls,
                EventCalls,
                InotifyCalls,
                MessageQueueCalls,
                IoUringCalls,
                MemoryCalls,
                MemoryPolicyCalls,
                SchedulerCalls,
                ResourceCalls {

    /** The short name of the implementation, as in {@code -Dcabrank.kernel}: {@code panama} or {@code jna}. */
    String name();
}
