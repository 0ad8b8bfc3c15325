/**
 * {@code cabrank jmh}: what the parts cost that everything else is made of, one at a time (JMH).
 *
 * <p>A benchmark of what is private to a package stands in that package, here or in {@code bench/jmh-panama}, where what needs a
 * JDK of 22 or later is. Each class says which question it answers, and what could make its answer wrong. One operation is
 * what a method does once, unless it says otherwise, and times are in ns for each.
 *
 * <p>What holds for all: results are returned, so that the JIT cannot drop what makes them; arguments come from fields that are
 * not final, so that it cannot work anything out beforehand; and each benchmark has JVMs of its own, so that none is compiled
 * by what another one did.
 */
package org.cabrank.bench.jmh;
