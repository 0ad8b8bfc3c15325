/**
 * A handle set and a stream transport over io_uring(7).
 *
 * <p>{@link org.cabrank.stream.Backend#auto} serves by rings where the kernel allows them. {@link
 * org.cabrank.iouring.IoUringBackendProvider} with {@link org.cabrank.iouring.config.RingOptions} makes other rings; {@link
 * org.cabrank.iouring.RingHandleSet} registers descriptors with a pool of its user.
 *
 * <h2>Threads</h2>
 *
 * A ring completes a request in the context of the task that submitted it. So one thread of the pool's own uses a ring, its <em>owner</em>.
 * The ring is made with {@code SINGLE_ISSUER | DEFER_TASKRUN} of io_uring_setup(2) where the kernel has them (Linux 6.1), else with {@code
 * COOP_TASKRUN}. The kernel refuses any other thread that submits or waits (EEXIST), and cancels requests when their owner ends. Further
 * threads of a shard stand in for an owner that a handler keeps: they serve the same connections by epoll, recv(2) and send(2), until the
 * owner is back. That needs {@code DEFER_TASKRUN} and deferred promotion; else several threads are refused.
 *
 * <h2>Rules</h2>
 *
 * Handlers, connections and handles keep the contracts that they have over epoll, also those on threads. Requests are
 * gathered, and go to the kernel with the leader's next wait. Each ring takes {@code receiveBuffers * receiveBufferBytes} of memory for
 * receiving at the start. When all buffers are in use, receiving pauses until a handler has given a buffer back.
 *
 * <p>Linux 6.0 is the oldest version that this package works with; {@link org.cabrank.iouring.config.RingOptions} marks options that need a
 * later version. Where io_uring is unavailable (a seccomp filter, the sysctl {@code kernel.io_uring_disabled}, too old a kernel, too little
 * memory that may be locked), a {@link org.cabrank.stream.BackendUnavailableException} gives the reason and the remedy.
 *
 * <p><a href="doc-files/relief.html">A page</a> has the rules of a ring that several threads serve, and the reasons.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.iouring;
