/**
 * Meters of a reactor, its rings and TLS for Micrometer. A binder registers meters that read counters which the library keeps anyway:
 * a service that binds nothing pays nothing, and a service that does pays when the registry reads.
 *
 * <pre>{@code
 * MeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
 * new ReactorMetrics(server.reactor(), List.of(Tag.of("service", "orders"))).bindTo(registry);
 * new ListenerMetrics(server.listener(), List.of()).bindTo(registry);
 * new TlsMetrics(tls, List.of()).bindTo(registry);
 * }</pre>
 *
 * <p>Names begin with {@code cabrank.}; durations are in seconds and sizes in bytes, as Micrometer and OpenTelemetry want them. A meter
 * that counts since the start is a counter, any other a gauge.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.micrometer;
