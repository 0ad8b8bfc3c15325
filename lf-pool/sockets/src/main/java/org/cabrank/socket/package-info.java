/**
 * File descriptors as handles (POSA2: Handle): any that can be waited for, in a set that any reactor implements.
 *
 * <p>A service registers a descriptor and an {@link org.cabrank.lf.EventHandler} with a
 * {@link org.cabrank.socket.DescriptorSet}; the handler and all that is built on such handles run unchanged on every
 * reactor.
 */
package org.cabrank.socket;
