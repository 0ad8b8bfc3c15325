/**
 * Failures of handlers and of the pool's own code: failures that end a thread, the log entry of each kind, and the room that
 * prevents running out of stack. Any thread may call every method.
 */
package org.cabrank.lf.failure;
