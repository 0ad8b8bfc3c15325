/** The servers of {@code cabrank serve}, on the stream interfaces of {@code lf-pool}. */
package org.cabrank.bench.serve;
