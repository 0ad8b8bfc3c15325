/** Sentences about a run: the leader in each scenario, and its margin. Without side effects. */
package org.cabrank.bench.report.summary;
