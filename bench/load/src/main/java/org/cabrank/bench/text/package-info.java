/** Text formats of the command line and the reports: addresses, durations, versions. */
package org.cabrank.bench.text;
