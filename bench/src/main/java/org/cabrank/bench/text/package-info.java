/** How the command line and the reports spell addresses, durations and the version. */
package org.cabrank.bench.text;
