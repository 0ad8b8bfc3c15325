/** Profiles of contenders: sampled stacks, their differences, and traces of slow requests, as they stand in a report. */
package org.cabrank.bench.report.profile;
