/** A handle set and a stream transport over io_uring(7): owner rings for one thread, shared rings for several. */
package org.cabrank.iouring;
