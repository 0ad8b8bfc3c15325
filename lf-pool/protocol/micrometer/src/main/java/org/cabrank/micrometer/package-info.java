/**
 * Meters of a reactor, its rings and TLS for Micrometer. The meters read counters of the library, so they cost time only when the
 * registry reads.
 *
 * <pre>{@code
 * MeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
 * new ReactorMetrics(server.reactor(), List.of(Tag.of("service", "orders"))).bindTo(registry);
 * new ListenerMetrics(server.listener(), List.of()).bindTo(registry);
 * new TlsMetrics(tls, List.of()).bindTo(registry);
 * }</pre>
 *
 * <p>Names begin with {@code cabrank.}; durations are in seconds and sizes in bytes. Meters that count since the start are counters. All
 * other meters are gauges.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.micrometer;
