/**
 * Failures of handlers and of the pool's own code: which of them end a thread, how they are logged, and how running out of stack is
 * prevented. Any thread may call every method.
 */
package org.cabrank.lf.failure;
