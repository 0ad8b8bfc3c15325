/**
 * System calls as small interfaces, one for each family, joined by {@link org.cabrank.kernel.Kernel}. Arguments are primitives:
 * descriptors as int, addresses as long. A failure is {@code -errno}, without an exception and without an allocation.
 *
 * <pre>{@code
 * Kernel kernel = Kernels.system();
 * int fd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_CLOEXEC)); // throws if the call failed
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.kernel;
