/**
 * System calls on sockets and paths in the form that the other packages and the backends use. Throws instead of returning errors.
 */
package org.cabrank.socket.calls;
