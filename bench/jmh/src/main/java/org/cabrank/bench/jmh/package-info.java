/**
 * {@code cabrank jmh}: cost of single operations, measured with JMH. An operation is one call of the measured method unless the class
 * documentation differs. A benchmark of package-private code is in the package of the code. If it needs JDK 22 or later, it is in {@code
 * bench/jmh-panama}.
 *
 * <p>All benchmarks return results, so that the JIT cannot drop their computation. Arguments are fields that are not final, so that the JIT
 * cannot compute anything beforehand. Each benchmark has its own JVMs, so that benchmarks do not share a profile.
 */
package org.cabrank.bench.jmh;
