/** Two reports, before and after: changes beyond the noise. Pure. */
package org.cabrank.bench.report.compare;
