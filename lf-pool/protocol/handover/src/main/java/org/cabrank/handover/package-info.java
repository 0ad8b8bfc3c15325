/**
 * Restarts of a service without a refused or lost connection. The new process takes the listening sockets of the old one over a Unix
 * socket, begins to accept, and has the old one drain. If the new process fails before that, the old one continues.
 *
 * <pre>{@code
 *  new process                      old process
 *  Handover.predecessor  --TAKE-->  shares its listening sockets (Listener.share)
 *                        <--fds---
 *  StreamServer.start
 *  Predecessor.replace   --READY->  leaves the path to the new process, runs its drain
 *                        <-LEFT---
 *  Handover.offer                   ends
 * }</pre>
 *
 * <p>The path's directory must be writable for the service alone, because whoever may replace the file can pass other sockets. The file
 * is open to its user only, and a peer must be of the same user or root.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.handover;
