/** Log of the command and of the processes that it starts. Each message is one line on standard error. */
package org.cabrank.bench.log;
