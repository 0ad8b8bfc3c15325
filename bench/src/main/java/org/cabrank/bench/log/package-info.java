/** Log lines of the command: one line each, on standard error. */
package org.cabrank.bench.log;
