/** What a few paired measurements carry: medians, intervals without an assumed distribution, outliers, verdicts. Pure. */
package org.cabrank.bench.report.statistics;
