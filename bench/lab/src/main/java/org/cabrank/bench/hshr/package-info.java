/**
 * Half-Sync/Half-Reactive, the pattern that POSA2 compares with Leader/Followers: one I/O thread watches the connections
 * and reads requests, a bounded queue passes them to a pool of workers, and the workers answer.
 *
 * <pre>
 *   epoll ──&gt; I/O thread: recv ──&gt; {@link org.cabrank.bench.hshr.RequestQueue} ──&gt; worker: work, send
 *                   ^                                                     │
 *                   └──── handle reactivated: the next request ───────────┘
 * </pre>
 *
 * <p>The server exists for comparison and is optimized for it. The I/O thread is a Cabrank pool of one thread over the same
 * handle set, so the servers differ only in the way they share work. Nothing is allocated or copied per request. The queue
 * is lock-free. A worker is woken only if one sleeps and none is already on its way.
 *
 * <p>A connection has at most one request between the I/O thread and the workers, because its handle is deactivated until
 * the answer has been sent. This keeps the answers in order, and one buffer per connection is enough: it belongs to the
 * thread that has the request. If the queue is full, the I/O thread waits, and unread bytes stay in the socket buffers.
 */
package org.cabrank.bench.hshr;
