/**
 * Configuration of rings: {@link org.cabrank.iouring.config.RingOptions} and {@link org.cabrank.iouring.config.RingMode}.
 *
 * <pre>{@code
 * Backend rings = Backend.of(new IoUringBackendProvider(RingOptions.DEFAULT));
 * StreamServer.builder().backend(rings) ...
 * }</pre>
 */
package org.cabrank.iouring.config;
