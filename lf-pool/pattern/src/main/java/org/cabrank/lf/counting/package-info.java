/** Counters that one thread of a pool writes and any thread reads, without a lock and without false sharing. */
package org.cabrank.lf.counting;
