/**
 * Configuration of rings: {@link org.cabrank.iouring.config.RingOptions}.
 *
 * <pre>{@code
 * Backend rings = Backend.of(new IoUringBackendProvider(RingOptions.DEFAULT));
 * StreamServer.builder().backend(rings) ...
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.iouring.config;
