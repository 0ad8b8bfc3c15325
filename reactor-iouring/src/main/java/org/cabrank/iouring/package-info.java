/**
 * A handle set and a stream transport over io_uring(7).
 *
 * <p>{@link org.cabrank.stream.Backend#auto} uses rings with default options if the kernel allows them. {@link
 * org.cabrank.iouring.IoUringBackendProvider} with {@link org.cabrank.iouring.config.RingOptions} makes rings with other options. {@link
 * org.cabrank.iouring.RingHandleSet} registers descriptors with a pool that the user has made.
 *
 * <h2>Threads</h2>
 *
 * The kernel completes a request in the context of the task that submitted the request. So only one thread of the pool uses a ring, its
 * <em>owner</em>. From Linux 6.1 on, the ring is made with {@code SINGLE_ISSUER | DEFER_TASKRUN} of io_uring_setup(2). On older kernels, it
 * is made with {@code COOP_TASKRUN}. If another thread submits or waits, the kernel refuses the call (EEXIST). If the owner ends, the
 * kernel cancels its requests. A shard may have further threads. While a handler keeps the owner busy, they serve the same connections by
 * epoll, recv(2) and send(2). Several threads require {@code DEFER_TASKRUN} and deferred promotion. <a href="doc-files/relief.html">A
 * page</a> explains their rules.
 *
 * <h2>Rules</h2>
 *
 * Handlers, connections and handles have the same contracts as over epoll, including the rules for threads. Requests are queued, and the
 * leader's next wait submits them. Each ring allocates {@code receiveBuffers * receiveBufferBytes} bytes for receiving when it is opened.
 * When all buffers are in use, receiving pauses until a handler has given a buffer back.
 *
 * <p>This package requires Linux 6.0. {@link org.cabrank.iouring.config.RingOptions} names the version for each option that requires a
 * later one. A seccomp filter, the sysctl {@code kernel.io_uring_disabled}, an older kernel, or a low limit of locked memory can make
 * io_uring unavailable. A {@link org.cabrank.stream.BackendUnavailableException} then gives the reason and the remedy.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.iouring;
