/**
 * Parts of a stream connection, whatever calls the kernel, and interfaces of backends. For Cabrank's own modules, not for services.
 *
 * <p>Places where bytes wait: received bytes that no handler has seen are in the socket (epoll), or in provided buffers that the ring's
 * inbound queue names (io_uring); bytes that a handler left unread are in {@link Inbound}. Bytes written by a callback are in {@link
 * GatherBuffer} until it ends, those written by other threads in {@link MailedOutput}, and those that the socket did not take in {@link
 * OutboundQueue}. {@link Inbox} holds calls and tasks, no bytes.
 */
package org.cabrank.stream.transport;
