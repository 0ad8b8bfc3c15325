/**
 * Mechanics of a ring: queues, memory, provided buffers, wakers, and trials of kernel features. The package knows nothing of handles and
 * connections.
 */
package org.cabrank.iouring.ring;
