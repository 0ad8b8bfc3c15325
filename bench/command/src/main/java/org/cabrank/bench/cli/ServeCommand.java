package org.cabrank.bench.cli;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.cabrank.bench.handler.EchoHandler;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.http.HelloHandler;
import org.cabrank.http.Http;
import org.cabrank.http.HttpTimeouts;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamTimeouts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "PROTOCOL",
        description = "Serves until SIGTERM or SIGINT, then answers what is under way and ends with exit status 0;"
                + " with 1 if the kernel or a thread fails it.")
final class ServeCommand implements Runnable {
    private static final String ECHO = "echo";
    static final String HTTP = "http";
    private static final String LISTEN_LABEL = "HOST:PORT|systemd[:NAME]";
    private static final String LISTEN =
            "Where to listen; port 0: any free one; systemd: at the sockets that systemd has"
                    + " passed, or at those of this name (default ${DEFAULT-VALUE}).";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a protocol is missing: echo or http");
    }

    @Command(
            name = ECHO,
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Sends back what it gets: bytes of connections, or with --udp datagrams.")
    int echo(
            @Option(
                            names = "--listen",
                            paramLabel = LISTEN_LABEL,
                            defaultValue = "127.0.0.1:7000",
                            description = LISTEN)
                    ListenTarget listen,
            @Option(
                            names = "--udp",
                            description =
                                    "Serves datagrams (UDP) instead of connections: as many threads at once as the"
                                            + " pool has, the answers to a batch by one system call. Shards share the port; the"
                                            + " kernel's hash of the addresses chooses the shard of a flow. SIGINT and SIGTERM"
                                            + " refuse further datagrams, and what was received is answered. Flags about"
                                            + " connections and TLS are refused.")
                    boolean udp,
            @Mixin ServeOptions options,
            @Mixin ServeTlsOptions tls)
            throws InterruptedException {
        if (udp) {
            CommandSpec command = spec.subcommands().get(ECHO).getCommandSpec();
            return DatagramServeRun.echo(command, listen, options).untilEnd();
        }
        return serve(ECHO, listen, options, tls::tls, StreamTimeouts.NEVER, (work, draining) -> {
            EchoHandler handler = new EchoHandler(work);
            return () -> handler;
        });
    }

    @Command(
            name = HTTP,
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Answers GET and HEAD of any target with a plain 'Hello, World!' (HTTP/1.1).")
    int http(
            @Option(
                            names = "--listen",
                            paramLabel = LISTEN_LABEL,
                            defaultValue = "127.0.0.1:8080",
                            description = LISTEN)
                    ListenTarget listen,
            @Mixin ServeOptions options,
            @Mixin ServeTlsOptions tls)
            throws InterruptedException {
        Supplier<ServerTls> http = () -> tls.tls("http/1.1");
        return serve(HTTP, listen, options, http, Duration.ofSeconds(60), (work, draining) -> {
            // The reactor closes idle connections (--idle-timeout).
            HttpTimeouts timeouts =
                    options.settings().of(NamedSettings.HTTP, HttpTimeouts.DEFAULT.withIdle(StreamTimeouts.NEVER));
            return Http.server(new HelloHandler(work)).withTimeouts(timeouts).withEnding(draining);
        });
    }

    private int serve(
            String protocol,
            ListenTarget listen,
            ServeOptions options,
            Supplier<ServerTls> tls,
            Duration idleTimeout,
            BiFunction<HandlerWork, BooleanSupplier, Supplier<ConnectionHandler>> handlers)
            throws InterruptedException {
        CommandSpec command = spec.subcommands().get(protocol).getCommandSpec();
        return ServeRun.start(command, protocol, listen, options, tls, idleTimeout, handlers)
                .untilEnd();
    }
}
