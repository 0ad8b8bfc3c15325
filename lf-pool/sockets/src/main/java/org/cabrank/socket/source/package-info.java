/**
 * What a handle set can wait for besides sockets: signals, changes of files, POSIX message queues and pipes.
 *
 * <p>Each source is a handle of a {@link org.cabrank.socket.DescriptorSet} like any other: one thread of the pool at a
 * time takes what is there and hands it to the source's handler, whatever the set's deactivation and the pool's promotion
 * are. The handler's calls never overlap. An exception of a handler closes its source, is counted and logged once per
 * kind, and reaches the handler's {@code handleClosed}; the pool goes on.
 */
package org.cabrank.socket.source;
