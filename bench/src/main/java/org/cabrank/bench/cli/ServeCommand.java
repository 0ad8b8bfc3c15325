package org.cabrank.bench.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.cabrank.bench.http.HttpHandler;
import org.cabrank.bench.serve.EchoHandler;
import org.cabrank.bench.serve.HandlerWork;
import org.cabrank.bench.serve.Signals;
import org.cabrank.bench.text.HostPort;
import org.cabrank.lf.stream.ConnectionHandler;
import org.cabrank.lf.stream.StreamServer;
import org.cabrank.lf.stream.StreamTimeouts;
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
        description = "Serves until SIGTERM or SIGINT, then answers what is under way and ends with exit status 0.")
final class ServeCommand implements Runnable {

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
            @Mixin ServeOptions options)
            throws InterruptedException {
        return serve("echo", listen, options, StreamTimeouts.NEVER, work -> {
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
            @Mixin ServeOptions options)
            throws InterruptedException {
        return serve("http", listen, options, Duration.ofSeconds(60), work -> () -> new HttpHandler(work));
    }

    private int serve(
            String protocol,
            HostPort listen,
            ServeOptions options,
            Duration idleTimeout,
            Function<HandlerWork, Supplier<ConnectionHandler>> handlers)
            throws InterruptedException {
        CommandSpec command = spec.subcommands().get(protocol).getCommandSpec();
        StreamServer server;
        try {
            server = options.configure(idleTimeout)
                    .listen(listen.resolve())
                    .handler(handlers.apply(options.work()))
                    .start();
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command.commandLine(), wrong.getMessage(), wrong);
        } catch (UnknownHostException unknown) {
            throw new Failure("the host '" + listen.host() + "' is not known: check its spelling or give an address");
        } catch (IOException refused) {
            throw new Failure(refused.getMessage(), refused);
        }
        AtomicBoolean asked = new AtomicBoolean();
        Signals.onEnd(() -> {
            asked.set(true);
            server.close();
        });
        System.out.println("listening on " + HostPort.format((InetSocketAddress) server.localAddress()) + " ("
                + protocol + " on " + backend(server) + ", " + options.pool() + ")");
        server.awaitTermination();
        if (!asked.get()) {
            throw new Failure("the server has ended by itself: its log says why");
        }
        return 0;
    }

    /** The first line of what it says of itself; all of it is for who asks for more. */
    private static String backend(StreamServer server) {
        String description = server.reactor().backendDescription();
        System.getLogger(ServeCommand.class.getName()).log(System.Logger.Level.DEBUG, description);
        return description.lines().findFirst().orElseThrow();
    }
}
