/** Servers of frameworks compiled for JDK 21. Builds for JNA alone omit this package: JDK 17's compiler cannot read them. */
package org.cabrank.bench.rival.since21;
