/**
 * Failures of handlers and of the pool's own code: failures that end a thread, the log entry of each kind, and the room that
 * prevents running out of stack. Any thread may call every method.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.lf.failure;
