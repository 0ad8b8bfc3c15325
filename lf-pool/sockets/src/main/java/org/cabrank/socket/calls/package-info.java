/**
 * Calls between sockets, backends and the kernel: system calls on sockets and paths, which throw instead of returning errors, and datagrams
 * that a reactor receives by itself.
 */
package org.cabrank.socket.calls;
