/** Statistics of few paired measurements, without an assumed distribution. Without side effects. */
package org.cabrank.bench.report.statistics;
