package org.cabrank.kernel;

/**
 * Everything this process asks of the Linux kernel.
 *
 * <p>Descriptors are {@code int}, addresses are {@code long}. A failure comes back as {@code -errno}, as the kernel
 * itself returns it: no exception, no allocation and no thread-local state. {@link Errno} names the numbers and makes
 * an exception of one for callers off the hot path.
 *
 * <p>Every method may be called by any thread. None retries: {@code EINTR} is the caller's to decide. A caller that
 * passes an address answers for the memory behind it.
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

    /** The short name of the implementation, as {@code -Dcabrank.kernel} takes it: {@code panama} or {@code jna}. */
    String name();
}
