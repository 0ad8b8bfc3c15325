/** Execution of {@code cabrank bench}: processes, their CPUs, rounds and progress. */
package org.cabrank.bench.run;
