/** Compares two reports and finds the changes that are larger than the noise. */
package org.cabrank.bench.report.compare;
