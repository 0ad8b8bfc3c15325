/**
 * Statistics of few paired measurements: medians, intervals without an assumed distribution, outliers, verdicts. Without
 * side effects.
 */
package org.cabrank.bench.report.statistics;
