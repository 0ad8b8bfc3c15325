/** What Cabrank set itself, evaluated from the results of a run. Pure. */
package org.cabrank.bench.report.target;
