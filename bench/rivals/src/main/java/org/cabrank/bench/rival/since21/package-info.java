/**
 * Servers of frameworks that are compiled for JDK 21. Builds for JNA alone leave this package out, because they may run on JDK 17, whose
 * compiler cannot read such classes.
 */
package org.cabrank.bench.rival.since21;
