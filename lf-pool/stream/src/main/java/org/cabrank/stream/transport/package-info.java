/**
 * Parts of a stream connection that do not depend on how the kernel is called, and the interfaces that backends implement. For
 * reactors, not for services.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.stream.transport;
