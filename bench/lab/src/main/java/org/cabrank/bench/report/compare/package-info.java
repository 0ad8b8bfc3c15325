/** Two reports, before and after: what has changed, and whether that is more than noise. Pure. */
package org.cabrank.bench.report.compare;
