/** The process of {@code cabrank serve}. */
package org.cabrank.bench.serve;
