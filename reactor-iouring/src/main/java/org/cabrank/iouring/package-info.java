/**
 * A handle set and a stream transport over io_uring(7).
 *
 * <p>A service names neither: with {@link org.cabrank.stream.Backend#auto} it is served by rings where the kernel allows
 * them. {@link org.cabrank.iouring.IoUringBackendProvider} with {@link org.cabrank.iouring.config.RingOptions} is for who wants
 * rings of another make, {@link org.cabrank.iouring.RingHandleSet} for who registers descriptors with a pool of its own.
 *
 * <h2>Two modes</h2>
 *
 * A ring remembers which task submitted a request, and completes it in that task's context. So there are two kinds of rings,
 * which {@link org.cabrank.iouring.config.RingMode} names, and comparisons should name them too:
 *
 * <ul>
 *   <li>An <em>owner ring</em> is one thread's: {@code SINGLE_ISSUER | DEFER_TASKRUN} of io_uring_setup(2). It is the fast
 *       mode, and what a backend takes when {@code threadsPerShard} is 1. The first thread that waits becomes the owner, and
 *       must be the last: the kernel refuses any other that submits or waits (EEXIST), and what was under way when the owner
 *       ended is cancelled. A pool of several threads cannot take turns at it.
 *   <li>A <em>shared ring</em> is for several threads that take turns: {@code COOP_TASKRUN} instead of those flags, unless
 *       {@link org.cabrank.iouring.config.RingOptions#prompt} is wanted, and submission under a lock.
 *       Under deferred promotion the leader, and with it the submitter, is mostly the same thread. Requests that end with
 *       their thread (ECANCELED) are made again by the leader of the time. Some requests continue after leadership has moved. A
 *       leader that has deposed a slow leader takes over the active ones at once, if they are no more than 256; the rest is
 *       taken over when they next complete, by a leader that stays. While a deposed thread cannot be interrupted at all, as
 *       in a read from a disk, what it has armed waits for it. In a call that can be interrupted, native code of a handler may
 *       meet EINTR: see {@link org.cabrank.iouring.config.RingMode#SHARED}. Wake-ups are messages, which are posted by the thread
 *       that wakes and need no other thread: before Linux 6.13 each shared ring has a second, small ring to send them from.
 * </ul>
 *
 * <h2>Rules for both</h2>
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
 * <p>Stability: stable.
 */
package org.cabrank.iouring;
