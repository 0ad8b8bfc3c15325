/** Calls between sockets, backends and the kernel: system calls that throw, and datagrams that a reactor receives by itself. */
package org.cabrank.socket.calls;
