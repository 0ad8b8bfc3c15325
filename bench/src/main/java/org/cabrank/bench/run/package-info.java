/** How {@code cabrank bench} runs: processes, their CPUs, rounds and progress. */
package org.cabrank.bench.run;
