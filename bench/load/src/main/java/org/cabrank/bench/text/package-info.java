/** Text formats of the command line and the reports. */
package org.cabrank.bench.text;
