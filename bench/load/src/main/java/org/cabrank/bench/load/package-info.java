/** The load generator. It sends requests over epoll, verifies every answer, and records latencies in a histogram. */
package org.cabrank.bench.load;
