/** {@code cabrank serve --live}, and the totals at the end of a server. */
package org.cabrank.bench.live;
