/**
 * Event sources of a handle set besides sockets: signals, timers, file system changes, POSIX message queues and pipes.
 *
 * <p>Each source is a handle of a {@link org.cabrank.socket.DescriptorSet}: one thread of the pool at a time reads the available events and
 * passes them to the source's handler. Handler calls never overlap, with any deactivation and promotion; only a handler that waits for a
 * {@link org.cabrank.lf.Reply} is called with later events during the wait, each once and in order. An exception of a handler closes its
 * source, is counted, is logged once per kind, and reaches {@code handleClosed}; the pool continues.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.socket.source;
