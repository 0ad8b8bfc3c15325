/**
 * System calls as small interfaces, one for each family of calls. {@link org.cabrank.kernel.Kernel} extends all of them. Descriptors are
 * ints, addresses are longs. If a call fails, it returns {@code -errno}. Calls throw no exceptions and allocate nothing.
 *
 * <pre>{@code
 * Kernel kernel = Kernels.system();
 * int fd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_CLOEXEC)); // throws if the call failed
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.kernel;
