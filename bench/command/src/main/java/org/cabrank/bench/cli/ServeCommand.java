package org.cabrank.bench.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.cabrank.bench.handler.EchoHandler;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.bench.http.HttpHandler;
import org.cabrank.bench.http.HttpHandler.HttpTimeLimits;
import org.cabrank.bench.live.LiveView;
import org.cabrank.bench.live.Totals;
import org.cabrank.bench.serve.CpuLatencyRequest;
import org.cabrank.bench.serve.EndSignals;
import org.cabrank.bench.serve.ServerBean;
import org.cabrank.bench.text.Durations;
import org.cabrank.bench.text.HostPort;
import org.cabrank.pinning.PlacementRefusedException;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFailedException;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.StreamTimeouts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cabrank serve}: a command per protocol. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "PROTOCOL",
        description = "Serves until SIGTERM or SIGINT, then answers what is under way and ends with exit status 0;"
                + " with 1 if the kernel or a thread fails it.")
final class ServeCommand implements Runnable {
    /** Begins the names of threads, and of what JMX shows. */
    private static final String NAME = "cabrank";

    private static final System.Logger LOGGER = System.getLogger(ServeCommand.class.getName());

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a protocol is missing: echo or http");
    }

    @Command(
            name = "echo",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Sends back what it gets.")
    int echo(
            @Option(
                            names = "--listen",
                            paramLabel = "HOST:PORT",
                            defaultValue = "127.0.0.1:7000",
                            description = "Where to listen; port 0: any free one (default ${DEFAULT-VALUE}).")
                    HostPort listen,
            @Mixin ServeOptions options,
            @Mixin ServeTlsOptions tls)
            throws InterruptedException {
        return serve("echo", listen, options, tls::tls, StreamTimeouts.NEVER, (work, draining) -> {
            EchoHandler handler = new EchoHandler(work);
            return () -> handler;
        });
    }

    @Command(
            name = "http",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Answers GET and HEAD of any target with a plain 'Hello, World!' (HTTP/1.1).")
    int http(
            @Option(
                            names = "--listen",
                            paramLabel = "HOST:PORT",
                            defaultValue = "127.0.0.1:8080",
                            description = "Where to listen; port 0: any free one (default ${DEFAULT-VALUE}).")
                    HostPort listen,
            @Option(
                            names = "--head-timeout",
                            paramLabel = "TIME",
                            defaultValue = "10s",
                            description =
                                    "How long the head of a request may take from its first byte on, however the client"
                                            + " sends it, then status 408; 0 for no limit (default ${DEFAULT-VALUE}).")
                    Duration headTimeout,
            @Option(
                            names = "--body-timeout",
                            paramLabel = "TIME",
                            defaultValue = "30s",
                            description =
                                    "How long the body of a request may take, likewise (default ${DEFAULT-VALUE}).")
                    Duration bodyTimeout,
            @Option(
                            names = "--answer-timeout",
                            paramLabel = "TIME",
                            defaultValue = "60s",
                            description =
                                    "How long a client may take for the answers that are queued for it, if they are"
                                            + " more than 64 KiB, then the connection is reset; 0 for no limit (default"
                                            + " ${DEFAULT-VALUE}).")
                    Duration answerTimeout,
            @Mixin ServeOptions options,
            @Mixin ServeTlsOptions tls)
            throws InterruptedException {
        Supplier<ServerTls> http = () -> tls.tls("http/1.1");
        return serve("http", listen, options, http, Duration.ofSeconds(60), (work, draining) -> {
            HttpTimeLimits limits = new HttpTimeLimits(headTimeout, bodyTimeout, answerTimeout);
            return () -> new HttpHandler(work, limits, draining);
        });
    }

    private int serve(
            String protocol,
            HostPort listen,
            ServeOptions options,
            Supplier<ServerTls> tls,
            Duration idleTimeout,
            BiFunction<HandlerWork, BooleanSupplier, Supplier<ConnectionHandler>> handlers)
            throws InterruptedException {
        try (CpuLatencyRequest latency = options.cpuLatency().hold()) {
            if (latency != null) {
                LOGGER.log(System.Logger.Level.INFO, latency);
            }
            return serveUntilEnd(protocol, listen, options, tls, idleTimeout, handlers);
        }
    }

    private static Failure failure(ReactorFailedException failed) {
        return new Failure(failed.getMessage() + "; restart the server, and see its log if the failure returns");
    }

    private int serveUntilEnd(
            String protocol,
            HostPort listen,
            ServeOptions options,
            Supplier<ServerTls> tls,
            Duration idleTimeout,
            BiFunction<HandlerWork, BooleanSupplier, Supplier<ConnectionHandler>> handlers)
            throws InterruptedException {
        CommandSpec command = spec.subcommands().get(protocol).getCommandSpec();
        RequestCounter requests = new RequestCounter();
        AtomicBoolean draining = new AtomicBoolean();
        ServerTls secured;
        StreamServer server;
        try {
            secured = tls.get();
            server = options.configure(idleTimeout)
                    .name(NAME)
                    .listen(listen.resolve())
                    .handler(decorated(handlers.apply(options.work().countedBy(requests), draining::get), secured))
                    .start();
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command.commandLine(), Durations.replaceIso(wrong.getMessage()), wrong);
        } catch (UnknownHostException unknown) {
            throw new Failure("the host '" + listen.host() + "' is not known: check its spelling or give an address");
        } catch (IOException refused) {
            throw refused.getCause() instanceof ReactorFailedException failed
                    ? failure(failed)
                    : new Failure(refused.getMessage(), refused);
        } catch (IllegalStateException
                | PlacementRefusedException notStarted) { // by a pool's thread, or a shard's maker
            throw CommandMachine.refusedPlace(notStarted);
        }
        AtomicBoolean asked = new AtomicBoolean();
        EndSignals signals = EndSignals.onEnd(() -> {
            asked.set(true);
            draining.set(true);
            server.close();
        });
        String address = HostPort.format((InetSocketAddress) server.localAddress());
        String about = backend(server) + ", " + options.pool();
        if (options.live().jmx()) {
            new ServerBean(protocol, requests).show(NAME);
        }
        String service = secured == null ? protocol : protocol + " " + secured.description();
        System.out.println("listening on " + address + " (" + service + " on " + about + ")");
        if (secured != null && secured.certificate() != null) {
            System.out.println(secured.certificate());
        }
        AtomicReference<String> lost = new AtomicReference<>();
        options.whenPlacementLost(words -> {
            lost.set(words);
            draining.set(true);
            server.close();
        });
        ReactorFailedException failed = null;
        try {
            awaitEnd(server, signals, requests, options, "cabrank " + service + " on " + address, about);
        } catch (ReactorFailedException failure) {
            failed = failure;
        }
        LOGGER.log(
                System.Logger.Level.INFO,
                Totals.of(server.reactor(), requests) + (secured == null ? "" : secured.totals()));
        if (failed != null) { // whatever else has been asked since: not all clients were served
            throw failure(failed);
        }
        if (lost.get() != null) {
            throw new Failure("--strict-placement: " + lost.get());
        }
        if (!asked.get()) {
            throw new Failure("the server has ended by itself: its log says why");
        }
        return 0;
    }

    private static Supplier<ConnectionHandler> decorated(Supplier<ConnectionHandler> plain, ServerTls secured) {
        return secured == null ? plain : secured.handlers(plain);
    }

    private static void awaitEnd(
            StreamServer server,
            EndSignals signals,
            RequestCounter requests,
            ServeOptions options,
            String title,
            String about)
            throws InterruptedException {
        if (options.live().live()) {
            showUntilEnd(
                    server,
                    signals,
                    quit -> LiveView.start(
                            server.reactor(), requests, options.live().interval(), title, about, quit));
        } else {
            server.awaitTermination();
        }
    }

    private static void showUntilEnd(StreamServer server, EndSignals signals, Function<Runnable, LiveView> start)
            throws InterruptedException {
        try (LiveView view = start.apply(signals::end)) {
            signals.beforeHalt(view::close);
            server.awaitTermination();
        }
    }

    /** The first line of what it says of itself; all of it is for who asks for more. */
    private static String backend(StreamServer server) {
        String description = server.reactor().backendDescription();
        LOGGER.log(System.Logger.Level.DEBUG, description);
        return description.lines().findFirst().orElseThrow();
    }
}
