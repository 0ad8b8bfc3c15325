/** The load generator: echo requests over epoll, every answer verified, latencies in a histogram. */
package org.cabrank.bench.load;
