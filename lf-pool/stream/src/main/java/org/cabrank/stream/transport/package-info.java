/**
 * What reactors implement and share: the parts of a stream connection that do not depend on how the kernel is asked. For
 * reactors, not for services.
 */
package org.cabrank.stream.transport;
