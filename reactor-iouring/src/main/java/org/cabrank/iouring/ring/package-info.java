/**
 * Mechanics of a ring: its queues and their memory, provided buffers, wakers, features of the kernel and their trials. Knows
 * neither handles nor connections.
 */
package org.cabrank.iouring.ring;
