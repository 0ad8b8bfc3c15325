/** Servers of frameworks compiled for JDK 21. A JNA-only build omits this package, because JDK 17 cannot read these frameworks. */
package org.cabrank.bench.rival.since21;
