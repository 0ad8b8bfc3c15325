/**
 * The load generator for datagrams: numbered datagrams over several sockets, with a window for each or at a fixed rate; lost, reordered,
 * duplicated and wrong answers counted, latencies in a histogram.
 */
package org.cabrank.bench.load.datagram;
