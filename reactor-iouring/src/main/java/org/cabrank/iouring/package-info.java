/** A handle set and a stream transport over io_uring; not written yet, and says so when asked for. */
package org.cabrank.iouring;
