/**
 * A handle set and a stream transport over io_uring(7).
 *
 * <p>A service names neither: with {@link org.cabrank.stream.Backend#auto} it is served by rings where the kernel allows
 * them. {@link org.cabrank.iouring.IoUringBackendProvider} with {@link org.cabrank.iouring.config.RingOptions} is for who wants
 * rings of another make, {@link org.cabrank.iouring.RingHandleSet} for who registers descriptors with a pool of its own.
 *
 * <h2>Threads</h2>
 *
 * A ring remembers which task submitted a request, and completes it in that task's context. So a ring is used by one thread, its
 * <em>owner</em>: a thread of the pool's own. The ring is made with {@code SINGLE_ISSUER | DEFER_TASKRUN} of io_uring_setup(2)
 * where the kernel has them (Linux 6.1), else with {@code COOP_TASKRUN}. The kernel refuses any other thread that submits or waits
 * (EEXIST), and what was under way when the owner ended is cancelled. Further threads of a shard stand in for an owner that a handler
 * keeps: they serve the same connections by epoll, recv(2) and send(2), until the owner is back. That needs {@code DEFER_TASKRUN}
 * and deferred promotion; else several threads are refused.
 *
 * <h2>Rules</h2>
 *
 * Handlers, connections and handles keep the contracts that they have over epoll; any thread may call what it may call
 * there. Requests are gathered, and go to the kernel with the leader's next wait. Memory for receiving is one area for each
 * ring, {@code receiveBuffers * receiveBufferBytes}, taken at the start; when it is used up, receiving pauses until a handler
 * has given a buffer back.
 *
 * <p>Linux 6.0 is the oldest version that this package works with; options that need a later one are marked in
 * {@link org.cabrank.iouring.config.RingOptions}. Where io_uring is unavailable (a seccomp filter, the sysctl
 * {@code kernel.io_uring_disabled}, too old a kernel, too little memory that may be locked), a
 * {@link org.cabrank.stream.BackendUnavailableException} gives the reason and the remedy.
 *
 * <p>The rules of a ring that several threads serve, with their reasons, are <a href="doc-files/relief.html">a page</a>.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.iouring;
