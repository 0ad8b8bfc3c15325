/**
 * Services under systemd. A service listens with the sockets that systemd has opened (socket activation, sd_listen_fds(3)), notifies
 * systemd when it is ready and when it stops (sd_notify(3)), and feeds systemd's watchdog while every shard is served.
 *
 * <pre>{@code
 * Systemd systemd = Systemd.current();
 * StreamServer server = StreamServer.builder()
 *         .listen(systemd.descriptors())
 *         .handler(handlers)
 *         .start();
 * Runtime.getRuntime().addShutdownHook(new Thread(() -> {
 *     systemd.notifier().stopping(Duration.ofSeconds(15));
 *     server.close();
 * }));
 * Supervision supervision = systemd.supervise(server.reactor(), "serving");
 * }</pre>
 *
 * <p>Outside of systemd no socket is passed, and notifications have no effect.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.systemd;
