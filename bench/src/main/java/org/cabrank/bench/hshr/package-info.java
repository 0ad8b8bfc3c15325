/**
 * Half-Sync/Half-Reactive, the pattern that POSA2 compares Leader/Followers with: one I/O thread watches the connections and
 * reads requests, a bounded queue hands them to a pool of workers, and the worker answers.
 *
 * <pre>
 *   epoll ──&gt; I/O thread: recv ──&gt; {@link org.cabrank.bench.hshr.RequestQueue} ──&gt; worker: work, send
 *                   ^                                                     │
 *                   └──── handle reactivated: the next request ───────────┘
 * </pre>
 *
 * <p>It is here to be measured against, and so built as well as we can: the I/O thread is a Cabrank pool of one thread over
 * the same handle set, so only the way to share work differs; nothing is allocated or copied per request; the queue is
 * lock-free; a worker is woken only if one sleeps and none is on its way already.
 *
 * <p>A connection has one request at a time between the I/O thread and the workers: its handle is deactivated as long as
 * that lasts. Hence the order, and hence one buffer per connection, which belongs to whoever has the request. When the
 * queue is full the I/O thread waits, and what is not read is the sender's to keep.
 */
package org.cabrank.bench.hshr;
