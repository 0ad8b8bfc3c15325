/** Common code of backends over sockets: listening, accepting, and the socket I/O of a connection. For backends, not for services. */
package org.cabrank.socket.transport;
