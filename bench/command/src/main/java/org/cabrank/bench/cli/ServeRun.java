package org.cabrank.bench.cli;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.cabrank.affinity.topology.TopologyReader;
import org.cabrank.bench.attach.ProcessFacts;
import org.cabrank.bench.attach.StartFindings;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.bench.live.LiveView;
import org.cabrank.bench.live.Totals;
import org.cabrank.bench.serve.EndSignals;
import org.cabrank.bench.serve.MetricsServer;
import org.cabrank.bench.serve.ServerBean;
import org.cabrank.bench.text.HostPort;
import org.cabrank.handover.Successors;
import org.cabrank.lf.PoolConfig;
import org.cabrank.pinning.doctor.Finding;
import org.cabrank.proxy.ProxyProtocol;
import org.cabrank.proxy.ProxyProtocolCounters;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFailedException;
import org.cabrank.stream.StreamServer;
import org.cabrank.systemd.Supervision;
import org.cabrank.systemd.Systemd;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

final class ServeRun {
    /** Prefix of the names of threads and JMX beans. */
    private static final String NAME = "cabrank";

    private static final String RELOAD = "HUP";

    private static final System.Logger LOGGER = System.getLogger(ServeRun.class.getName());

    private final String protocol;
    private final ServeOptions options;
    private final ServerTls tls;
    private final StreamServer server;

    private final ServeHandover handover;

    private final ProxyProtocol proxies;

    private final RequestCounter requests;

    /** True when the server is going to end. Set before {@link #draining}, so that the health page shows it before the drain. */
    private final AtomicBoolean leaving = new AtomicBoolean();

    private final AtomicBoolean draining;

    private ServeRun(
            String protocol,
            ServeOptions options,
            ServerTls tls,
            StreamServer server,
            ServeHandover handover,
            ProxyProtocol proxies,
            RequestCounter requests,
            AtomicBoolean draining) {
        this.handover = handover;
        this.proxies = proxies;
        this.protocol = protocol;
        this.options = options;
        this.tls = tls;
        this.server = server;
        this.requests = requests;
        this.draining = draining;
    }

    /** Starts a server. Throws a {@link ParameterException} for a wrong flag, and a {@link Failure} if the machine cannot run it. */
    static ServeRun start(
            CommandSpec command,
            String protocol,
            ListenTarget listen,
            ServeOptions options,
            Supplier<ServerTls> tls,
            Duration idleTimeout,
            BiFunction<HandlerWork, BooleanSupplier, Supplier<ConnectionHandler>> handlers) {
        return ServerStart.started(
                command, listen, () -> start(protocol, listen, options, tls.get(), idleTimeout, handlers));
    }

    private static ServeRun start(
            String protocol,
            ListenTarget listen,
            ServeOptions options,
            ServerTls secured,
            Duration idleTimeout,
            BiFunction<HandlerWork, BooleanSupplier, Supplier<ConnectionHandler>> handlers)
            throws IOException {
        RequestCounter requests = new RequestCounter();
        AtomicBoolean draining = new AtomicBoolean();
        ServeHandover handover = null;
        boolean started = false;
        try {
            options.refuse(
                    "serve " + protocol,
                    List.of(),
                    protocol.equals(ServeCommand.HTTP)
                            ? List.of(NamedSettings.DATAGRAM)
                            : List.of(NamedSettings.DATAGRAM, NamedSettings.HTTP));
            ProxyProtocol proxies = options.balancer().proxyProtocol();
            StreamServer.Builder builder = options.configure(idleTimeout)
                    .name(NAME)
                    .handler(decorated(
                            handlers.apply(options.work().countedBy(requests), draining::get), secured, proxies));
            handover = ServeHandover.at(options.handover(), listen);
            if (handover.predecessor() == null) {
                listen.configure(builder);
            } else {
                listen.configure(builder, handover.predecessor(), options.accept());
            }
            StreamServer server = builder.start();
            started = true;
            return new ServeRun(protocol, options, secured, server, handover, proxies, requests, draining);
        } finally {
            if (!started && handover != null) {
                handover.abandon();
            }
        }
    }

    /** Puts TLS around the handlers, and the PROXY protocol around TLS. A PROXY header comes before the first byte of TLS. */
    private static Supplier<ConnectionHandler> decorated(
            Supplier<ConnectionHandler> plain, ServerTls secured, ProxyProtocol proxies) {
        Supplier<ConnectionHandler> handlers = secured == null ? plain : secured.handlers(plain);
        return proxies == null ? handlers : proxies.handlers(handlers);
    }

    /** Serves until a signal or a failure ends it. Returns the exit status. */
    int untilEnd() throws InterruptedException {
        String addresses = server.listeners().stream()
                .map(listener -> ListenTarget.format(listener.address()))
                .collect(Collectors.joining(" and "));
        PoolConfig pool = server.reactor().pools().get(0).config();
        int ofReactor = server.reactor().use().connectionsMax();
        String about =
                String.join(", ", backend(), options.pool(pool), options.place(), options.connections(ofReactor));
        warn(new StartFindings.Facts(
                tls != null,
                pool.threads(),
                options.connectionsAsked(ofReactor),
                ProcessFacts.of(TopologyReader.SYSFS, TopologyReader.PROCFS, "self")));
        String service = tls == null ? protocol : protocol + " " + tls.description();
        if (options.live().jmx()) {
            new ServerBean(protocol, requests).show(NAME);
            if (tls != null) {
                tls.tls().registerBean(NAME); // until the process ends
            }
        }
        Systemd systemd = Systemd.current();
        AtomicBoolean asked = new AtomicBoolean();
        AtomicReference<Successors> successors = new AtomicReference<>();
        Runnable end = () -> {
            asked.set(true);
            drain(systemd, successors.get(), options.balancer().drainDelay());
        };
        AtomicReference<MetricsServer> pages = new AtomicReference<>();
        Runnable replaced = () -> { // no delay for balancers, because the successor has the sockets
            asked.set(true);
            if (pages.get() != null) {
                pages.get().close(); // the successor answers for both
            }
            drain(systemd, successors.get(), Duration.ZERO);
        };
        EndSignals signals = EndSignals.onEnd(end); // first, because systemd may stop a service as soon as it is ready
        AtomicReference<String> lost = new AtomicReference<>();
        options.whenPlacementLost(words -> {
            lost.set(words);
            drain(systemd, successors.get(), options.balancer().drainDelay());
        });
        try (MetricsServer metrics = metrics();
                Supervision supervision = supervision(systemd, "listening on " + addresses + " (" + service + ")")) {
            reloadOnSignal(supervision);
            boolean ending = signals.begun() || lost.get() != null;
            if (ending) {
                handover.abandon(); // otherwise nobody would serve
            } else {
                handover.replacePredecessor();
            }
            System.out.println("listening on " + addresses + " (" + service + " on " + about + ")");
            if (tls != null && tls.certificate() != null) {
                System.out.println(tls.certificate());
            }
            if (metrics != null) {
                System.out.println("metrics on " + HostPort.format(metrics.address()));
            }
            pages.set(metrics);
            // Closed in any case, because a signal may have arrived before.
            try (Successors offered = ending ? null : handover.offer(server, metrics, replaced)) {
                successors.set(offered);
                awaitEnd(signals);
            }
            if (lost.get() != null) {
                throw new Failure(PinningOptions.STRICT + ": " + lost.get());
            }
            if (!asked.get()) {
                throw new Failure("the server has ended by itself: its log says why");
            }
            return 0;
        }
    }

    private static void warn(StartFindings.Facts facts) {
        for (Finding finding : StartFindings.of(facts)) {
            LOGGER.log(
                    Level.WARNING,
                    finding.subject() + ": " + finding.finding() + ": " + finding.effect() + "; " + finding.remedy());
        }
    }

    private MetricsServer metrics() {
        HostPort wanted = options.metrics();
        if (wanted == null) {
            return null;
        }
        try {
            InetSocketAddress address = wanted.resolve();
            return MetricsServer.start(
                    address,
                    handover.formerSockets(address),
                    server,
                    tls == null ? null : tls.tls(),
                    requests,
                    leaving::get);
        } catch (UnknownHostException unknown) {
            server.close();
            throw new Failure("--metrics: the host '" + wanted.host() + "' is not known: check its spelling");
        } catch (IOException refused) {
            server.close();
            throw new Failure("--metrics: " + refused.getMessage(), refused);
        }
    }

    /** If systemd has started this process, notifies systemd that the server is ready, and feeds the watchdog. */
    private Supervision supervision(Systemd systemd, String status) {
        try {
            return systemd.supervise(server.reactor(), status);
        } catch (IOException wrong) {
            server.close();
            throw new Failure(wrong.getMessage(), wrong);
        }
    }

    /** Waits for {@code delay} first, so that balancers notice the 503 of the health page before the listeners close. */
    private void drain(Systemd systemd, Successors successors, Duration delay) {
        if (successors != null) {
            successors.close(); // A server that is ending does not hand its sockets to a successor.
        }
        systemd.notifier().stopping(options.endMost());
        leaving.set(true);
        try {
            Thread.sleep(delay.toMillis());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        draining.set(true);
        server.close();
    }

    private void reloadOnSignal(Supervision supervision) {
        if (tls == null || !tls.isReloadable()) {
            return; // the signal ends the process, like the signal of a closed terminal
        }
        boolean watched = EndSignals.on(RELOAD, () -> {
            try {
                supervision.reload(() -> {
                    tls.reload();
                    return "listening with the certificates read again";
                });
                LOGGER.log(Level.INFO, "certificates were read again");
            } catch (Exception refused) {
                LOGGER.log(
                        Level.WARNING,
                        "certificates were not read again, the former ones stay: " + refused.getMessage()
                                + "; mend the files and send SIGHUP again");
            }
        });
        if (!watched) {
            LOGGER.log(
                    Level.INFO,
                    "this process ignores SIGHUP: certificates are not read again; start the server without nohup for that");
        }
    }

    private void awaitEnd(EndSignals signals) throws InterruptedException {
        ReactorFailedException failed = null;
        try {
            if (options.live().live() == null) {
                server.awaitTermination();
            } else {
                awaitEndVisibly(signals);
            }
        } catch (ReactorFailedException failure) {
            failed = failure;
        }
        LOGGER.log(
                Level.INFO, Totals.of(server.reactor(), requests) + (tls == null ? "" : tls.totals()) + proxyTotals());
        if (failed != null) { // not all clients were served
            throw ServerStart.failure(failed);
        }
    }

    private String proxyTotals() {
        if (proxies == null) {
            return "";
        }
        ProxyProtocolCounters counters = proxies.counters();
        return String.format(
                Locale.ROOT,
                ", PROXY headers %,d, malformed %,d, late %,d, of untrusted peers %,d",
                counters.served(),
                counters.malformed(),
                counters.timedOut(),
                counters.untrustedClosed());
    }

    private void awaitEndVisibly(EndSignals signals) throws InterruptedException {
        try (LiveView view =
                LiveView.start(server.reactor(), requests, options.live().live())) {
            signals.beforeHalt(view::close);
            server.awaitTermination();
        }
    }

    private String backend() {
        String description = server.reactor().backendDescription();
        LOGGER.log(Level.DEBUG, description);
        return description.lines().findFirst().orElseThrow();
    }
}
