/** Servers of datagrams of the cabrank command: echo, and the fan-out of multicast groups to TCP subscribers. */
package org.cabrank.bench.datagram;
