/** Performance targets of Cabrank, evaluated from the results of a run. Without side effects. */
package org.cabrank.bench.report.target;
