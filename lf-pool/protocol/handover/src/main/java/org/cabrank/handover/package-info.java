/**
 * Restarts of a service without a refused or lost connection. The new process takes the listening sockets of the old process over a
 * Unix socket, begins to accept, and has the old process drain. If the new process fails before, the old process continues.
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
 * <p>Only the service may have write access to the path's directory, because a process that can replace the file can pass other sockets.
 * Only the user of the service can open the file, and a peer must have the same user or be root.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.handover;
