/**
 * {@code cabrank jmh}: cost of single operations, measured with JMH.
 *
 * <p>A benchmark of package-private code has the package of the code. If it needs JDK 22 or later, it is in {@code bench/jmh-panama}. An
 * operation is one call of the measured method unless the class documentation differs.
 *
 * <p>For all benchmarks: results are returned, so that the JIT cannot drop their computation; arguments are fields that are not final, so
 * that the JIT cannot compute anything beforehand; and each benchmark has its own JVMs, so that benchmarks do not share a profile.
 */
package org.cabrank.bench.jmh;
