/** Parts of a stream connection, whatever calls the kernel, and interfaces of backends. For Cabrank's own modules, not for services. */
package org.cabrank.stream.transport;
