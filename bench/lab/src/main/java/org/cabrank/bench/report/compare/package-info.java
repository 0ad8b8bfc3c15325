/** Two reports, before and after: changes beyond the noise. Without side effects. */
package org.cabrank.bench.report.compare;
