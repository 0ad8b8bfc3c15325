/**
 * Event sources of a handle set besides sockets: signals, timers, file system changes, POSIX message queues and pipes.
 *
 * <p>One thread of the pool at a time reads the events of a source and passes them to its handler. Handler calls do not overlap, except
 * that a handler that waits for a {@link org.cabrank.lf.Reply} is called with later events. If a handler throws an exception, its source is
 * closed. The exception is counted, is logged once per kind, and is passed to {@code handleClosed}.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.socket.source;
