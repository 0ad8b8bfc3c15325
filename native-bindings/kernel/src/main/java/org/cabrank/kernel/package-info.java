/**
 * System calls as small interfaces, one for each family; {@link org.cabrank.kernel.Kernel} combines them. Arguments are primitives: a
 * descriptor is an int, an address a long. A call returns {@code -errno} if it fails, without an exception or an allocation.
 *
 * <pre>{@code
 * Kernel kernel = Kernels.system();
 * int fd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_CLOEXEC)); // throws if the call failed
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.kernel;
