/** Scenarios of the bench, their cells, and the time that a run through them takes. */
package org.cabrank.bench.scenario;
