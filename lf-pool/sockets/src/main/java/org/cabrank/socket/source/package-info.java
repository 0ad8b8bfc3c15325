/**
 * Event sources of a handle set besides sockets: signals, timers, file system changes, POSIX message queues and pipes.
 *
 * <p>Each source is a handle of a {@link org.cabrank.socket.DescriptorSet}: one thread of the pool at a time reads the
 * available events and passes them to the source's handler. Handler calls never overlap, whatever the set's deactivation
 * and the pool's promotion are. One exception: while a handler waits for a {@link org.cabrank.lf.Reply}, the later events are passed
 * to the handler, each once and in order. An exception of a handler closes its source, is counted, is logged once per kind, and
 * reaches the handler's {@code handleClosed}; the pool continues.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.socket.source;
