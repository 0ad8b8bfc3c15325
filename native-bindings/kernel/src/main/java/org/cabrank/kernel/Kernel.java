package org.cabrank.kernel;

/**
 * All calls of this process to the Linux kernel.
 *
 * <p>Descriptors are {@code int}, addresses are {@code long}. A failure is returned as {@code -errno}, as the kernel itself returns it:
 * without an exception, an allocation or thread-local state. {@link Errno} names the numbers and makes exceptions off the hot path.
 *
 * <p>Every method may be called by any thread. None retries: the caller handles {@code EINTR}. A caller that passes an address keeps the
 * memory behind it valid.
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
