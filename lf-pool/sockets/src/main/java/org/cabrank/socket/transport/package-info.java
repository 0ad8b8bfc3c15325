/** For reactors alone: the calls on sockets that they have in common. The module exports it to them and nobody else. */
package org.cabrank.socket.transport;
