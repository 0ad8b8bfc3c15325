/** The load generator for datagrams. It sends over several sockets, with a window for each socket or at a fixed rate. */
package org.cabrank.bench.load.datagram;
