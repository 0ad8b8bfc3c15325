/**
 * Configuration of rings: {@link org.cabrank.iouring.config.RingOptions}.
 *
 * <pre>{@code
 * Backend rings = Backend.of(new IoUringBackendProvider(RingOptions.DEFAULT));
 * StreamServer.builder().backend(rings) ...
 * }</pre>
 *
 * <p>Stability: stable, but for the canonical constructors of records, which get components.
 */
package org.cabrank.iouring.config;
