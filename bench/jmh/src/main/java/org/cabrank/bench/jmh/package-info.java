/**
 * {@code cabrank jmh}: cost of single parts (JMH).
 *
 * <p>A benchmark of package-private code is in that package, here or, if it needs JDK 22 or later, in {@code bench/jmh-panama}. An
 * operation is one call of the measured method unless the class documentation differs.
 *
 * <p>For all benchmarks: results are returned, so that the JIT cannot drop their computation; arguments are fields that are not final, so
 * that it cannot compute anything beforehand; and each benchmark has JVMs of its own, so that the profile of one does not affect another.
 */
package org.cabrank.bench.jmh;
