/** Servers of datagrams of the cabrank command. */
package org.cabrank.bench.datagram;
