/**
 * Restarts a service without refusing or losing a connection. The new process takes the listening sockets of the old process over a Unix
 * socket, and then makes the old process drain. If it fails before that, the old process continues to serve.
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
 * Only the user of the service can open the file. Both processes check that the peer has the same user or is root.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.handover;
