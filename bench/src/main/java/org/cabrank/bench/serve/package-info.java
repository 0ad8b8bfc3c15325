/** The servers of {@code cabrank serve}, on the stream interfaces of {@code lf-pool/stream}. */
package org.cabrank.bench.serve;
