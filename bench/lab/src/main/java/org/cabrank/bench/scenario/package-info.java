/** Scenarios of the bench and their cells. */
package org.cabrank.bench.scenario;
