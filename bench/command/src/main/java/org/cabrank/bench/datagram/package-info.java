/** Datagram servers of the cabrank command. */
package org.cabrank.bench.datagram;
