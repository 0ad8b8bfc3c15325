/**
 * Parts of a stream connection that all backends share, and interfaces of backends. For Cabrank's own modules, not for services.
 *
 * <p>Bytes wait in these places:
 *
 * <ul>
 *   <li>Received bytes that no handler has seen: in the socket (epoll), or in provided buffers of the ring's inbound queue (io_uring).
 *   <li>Bytes that a handler has left unread: in {@link Inbound}.
 *   <li>Bytes that a callback has written: in {@link GatherBuffer} until the callback ends.
 *   <li>Bytes that other threads have written: in {@link MailedOutput}.
 *   <li>Bytes that the socket has not taken: in {@link OutboundQueue}.
 * </ul>
 *
 * <p>{@link Inbox} holds calls and tasks (mail). The claim holder of a connection is the thread that processes it at the moment.
 */
package org.cabrank.stream.transport;
