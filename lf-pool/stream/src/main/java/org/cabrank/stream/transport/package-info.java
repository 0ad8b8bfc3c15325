/**
 * Parts of a stream connection that do not depend on how the kernel is called, and the interfaces that backends implement. For
 * Cabrank's own modules, not for services.
 */
package org.cabrank.stream.transport;
