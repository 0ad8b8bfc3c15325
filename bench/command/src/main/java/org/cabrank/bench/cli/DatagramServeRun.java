package org.cabrank.bench.cli;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.bench.datagram.DatagramEcho;
import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.bench.live.Totals;
import org.cabrank.bench.serve.EndSignals;
import org.cabrank.bench.serve.ServerBean;
import org.cabrank.bench.text.HostPort;
import org.cabrank.stream.ReactorFailedException;
import org.cabrank.stream.StreamReactor;
import org.cabrank.systemd.Supervision;
import org.cabrank.systemd.Systemd;
import picocli.CommandLine.Model.CommandSpec;

record DatagramServeRun(
        ServeOptions options, StreamReactor reactor, DatagramEcho echo, RequestCounter requests, String address) {
    /** Prefix of the names of threads and JMX beans. */
    static final String NAME = "cabrank";

    private static final String ECHO = "echo --udp";
    private static final System.Logger LOGGER = System.getLogger(DatagramServeRun.class.getName());

    static DatagramServeRun echo(CommandSpec command, ListenTarget listen, ServeOptions options) {
        return ServerStart.started(command, listen, () -> echo(listen, options));
    }

    private static DatagramServeRun echo(ListenTarget listen, ServeOptions options) throws IOException {
        if (listen.isPassed()) {
            throw new IllegalArgumentException(
                    "--udp opens its own sockets: name an address with --listen instead of systemd");
        }
        options.refuse(ECHO, DatagramSettings.FLAGS_OF_CONNECTIONS, DatagramSettings.OF_CONNECTIONS);
        DatagramSettings datagrams = options.settings().of(NamedSettings.DATAGRAM, DatagramSettings.DEFAULT);
        RequestCounter requests = new RequestCounter();
        StreamReactor reactor = options.reactor().name(NAME).start();
        boolean bound = false;
        try {
            DatagramEcho echo = DatagramEcho.bind(
                    reactor,
                    listen.address().resolve(),
                    datagrams.options(),
                    options.work().countedBy(requests));
            bound = true;
            return new DatagramServeRun(options, reactor, echo, requests, HostPort.format(echo.address()));
        } finally {
            if (!bound) {
                reactor.close();
            }
        }
    }

    /** Serves until a signal or a failure ends it. Returns the exit status. */
    int untilEnd() throws InterruptedException {
        if (options.live().jmx()) {
            new ServerBean(ECHO, requests).show(NAME);
        }
        Systemd systemd = Systemd.current();
        AtomicBoolean asked = new AtomicBoolean();
        AtomicBoolean drained = new AtomicBoolean(true);
        EndSignals.onEnd(() -> {
            asked.set(true);
            systemd.notifier().stopping(options.endMost());
            drained.set(drain());
            reactor.close();
        });
        try (Supervision supervision = supervision(systemd)) {
            String backend = reactor.backendDescription().lines().findFirst().orElseThrow();
            System.out.println("listening on " + address + " (" + ECHO + " on " + backend + ", "
                    + options.pool(reactor.pools().get(0).config()) + ")");
            LOGGER.log(Level.DEBUG, supervision);
            reactor.awaitTermination();
        } catch (ReactorFailedException failed) {
            throw ServerStart.failure(failed);
        } finally {
            LOGGER.log(Level.INFO, totals());
        }
        if (!asked.get()) {
            throw new Failure("the server has ended by itself: its log says why");
        }
        if (!drained.get()) {
            throw new Failure("datagrams were left when --drain-timeout had passed: raise it, or add threads");
        }
        return 0;
    }

    private boolean drain() {
        try {
            return echo.drain(options.drainTimeout());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Supervision supervision(Systemd systemd) {
        try {
            return systemd.supervise(reactor, "listening on " + address + " (" + ECHO + ")");
        } catch (IOException wrong) {
            reactor.close();
            throw new Failure(wrong.getMessage(), wrong);
        }
    }

    private String totals() {
        return echo.totals() + "; " + Totals.of(reactor, requests);
    }
}
