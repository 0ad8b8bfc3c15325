/** Statistics of few paired measurements, without an assumed distribution. */
package org.cabrank.bench.report.statistics;
