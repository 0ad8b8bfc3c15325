/**
 * {@code cabrank serve --live} and the totals at the end of a server: lines made of the counters that JMX shows.
 */
package org.cabrank.bench.live;
