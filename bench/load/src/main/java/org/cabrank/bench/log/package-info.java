/** Log lines of the command and of the processes that it starts: one line each, on standard error. */
package org.cabrank.bench.log;
