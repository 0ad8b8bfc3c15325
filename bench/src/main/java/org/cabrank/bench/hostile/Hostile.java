package org.cabrank.bench.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.load.Traffic;
import org.cabrank.bench.run.Child;
import org.cabrank.bench.run.ChildFailedException;
import org.cabrank.bench.run.Experiment;
import org.cabrank.bench.run.Progress;
import org.cabrank.bench.run.Stage;
import org.cabrank.kernel.Kernel;

/** Measures a well-behaved client of each backend, first alone and then, connected anew, beside a hostile crowd. */
public final class Hostile extends Experiment<HostileRun, HostileReport> {
    private static final long START_TIMEOUT_NS = 60_000_000_000L;
    private static final long WARMUP_NS = 1_000_000_000L;

    private final HostileSettings settings;
    private final Kernel kernel;

    /** @throws IllegalArgumentException when the settings ask for CPUs that this process may not use */
    public Hostile(HostileSettings settings, Output output, Kernel kernel) throws IOException {
        super(
                output,
                new Stage(kernel, settings.serverCpus(), settings.loadCpus()),
                1,
                settings.backends().size(),
                2.0 * (settings.durationNs() + WARMUP_NS) + Progress.TURN_OVERHEAD_NS);
        this.settings = settings;
        this.kernel = kernel;
    }

    @Override
    protected void takeTurns() throws IOException, InterruptedException {
        for (String backend : settings.backends()) {
            if (!take(backend, 1, () -> run(backend))) {
                return;
            }
        }
    }

    @Override
    protected boolean failed(HostileRun run) {
        return run.failed();
    }

    @Override
    protected String table(HostileReport report) {
        return HostileTable.render(report);
    }

    private HostileRun run(String backend) throws IOException, InterruptedException {
        List<String> flags = List.of("-XX:MaxDirectMemorySize=" + settings.directMemoryMiB() + "m");
        try (Child server = stage().startServer(backend, flags, HostileServer.class, List.of(backend))) {
            int port = Integer.parseInt(server.await(HostileServer.LISTENING, START_TIMEOUT_NS));
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            HostileRun.Client before = measure(address);
            try (HostileClients hostile = new HostileClients(address, settings.crowd())) {
                if (!hostile.awaitStanding(START_TIMEOUT_NS)) {
                    return HostileRun.notMeasured(
                            backend,
                            "the server still reads from connections that never read, 60 s after they were made");
                }
                HostileRun.Client during = measure(address);
                server.send(HostileServer.COUNTERS);
                String counters =
                        server.await(HostileServer.COUNTERS, START_TIMEOUT_NS).strip();
                return new HostileRun(
                        backend, before, during, hostile.made(), hostile.reset(), hostile.ended(), counters, null);
            }
        } catch (ChildFailedException failed) {
            return HostileRun.notMeasured(backend, failed.getMessage() + "\n" + failed.log());
        }
    }

    private HostileRun.Client measure(InetSocketAddress address) throws InterruptedException {
        LoadGenerator load = LoadGenerator.start(
                kernel,
                new LoadSettings(
                        address,
                        Traffic.pingPong(HostileSettings.CONNECTIONS, HostileServer.REQUEST_BYTES)
                                .withRate(settings.rate())),
                () -> {});
        LoadResult result;
        try {
            load.awaitConnected();
            load.run(WARMUP_NS);
            load.beginMeasuring();
            load.run(settings.durationNs());
            load.endMeasuring();
        } finally {
            result = load.finish();
        }
        return HostileRun.Client.of(result);
    }

    @Override
    protected HostileReport report(List<HostileRun> runs, boolean complete) {
        return new HostileReport(
                HostileReport.FORMAT,
                stage().startedAt(),
                complete,
                arguments(),
                stage().versions(),
                stage().reportedMachine(),
                stage().reportedJvm(),
                stage().reportedCpus(),
                HostileReport.Settings.of(settings),
                runs);
    }
}
