/** Mechanics of a ring: queues, memory, provided buffers, wakers, kernel features and their trials. Knows no handles or connections. */
package org.cabrank.iouring.ring;
