/**
 * Calls between sockets, backends and the kernel: system calls that throw instead of returning errors, datagrams that a reactor receives.
 */
package org.cabrank.socket.calls;
