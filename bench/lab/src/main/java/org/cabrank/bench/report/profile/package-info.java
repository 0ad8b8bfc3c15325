/** Profiles of contenders: sampled stacks and their differences, as they stand in a report. */
package org.cabrank.bench.report.profile;
