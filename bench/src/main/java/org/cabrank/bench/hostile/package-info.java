/** {@code cabrank bench hostile}: a well-behaved client of a server that hostile clients try to use up. */
package org.cabrank.bench.hostile;
