package org.cabrank.kernel;

/**
 * All calls of this process to the Linux kernel. Any thread may call any method.
 *
 * <p>Descriptors are {@code int}, addresses are {@code long}. A call that fails returns {@code -errno} ({@link Errno}). Calls throw no
 * exceptions and allocate nothing. They do not retry: the caller handles {@code EINTR}. A caller that passes an address must keep the
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
