/** Failures of handlers and of the pool's own code, their log, and the prevention of stack overflows. Any thread may call any method. */
package org.cabrank.lf.failure;
