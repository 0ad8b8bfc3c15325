/** Queues of queueing theory, computed by simulation: what a server with a given number of threads could do at best. */
package org.cabrank.bench.queue;
