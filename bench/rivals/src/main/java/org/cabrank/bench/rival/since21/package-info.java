/** Servers of frameworks compiled for JDK 21. Builds for JNA alone leave them out, because JDK 17's compiler cannot read these. */
package org.cabrank.bench.rival.since21;
