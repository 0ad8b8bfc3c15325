/** Sentences about a run: the leader in each scenario, and its margin. */
package org.cabrank.bench.report.summary;
