package org.cabrank.bench.levels;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.cabrank.affinity.Scheduler;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.load.Traffic;
import org.cabrank.bench.run.Child;
import org.cabrank.bench.run.ChildFailedException;
import org.cabrank.bench.run.Experiment;
import org.cabrank.bench.run.Progress;
import org.cabrank.bench.run.Stage;
import org.cabrank.kernel.Kernel;

/**
 * The comparison of arrangements: in each round every arrangement once, in a process of its own, under a flood of bulk
 * requests and a steady trickle of urgent ones.
 */
public final class ServiceLevels extends Experiment<LevelsRun, LevelsReport> {

    private static final long START_TIMEOUT_NS = 60_000_000_000L;

    private final LevelsSettings settings;
    private final Kernel kernel;
    private final Map<Arrangement, String> leftOut = new EnumMap<>(Arrangement.class);

    /** @throws IllegalArgumentException when the settings ask for CPUs that this process may not use */
    public ServiceLevels(LevelsSettings settings, Output output, Kernel kernel) throws IOException {
        super(
                output,
                new Stage(kernel, settings.serverCpus(), settings.loadCpus()),
                settings.rounds(),
                settings.rounds() * Arrangement.values().length,
                settings.warmupNs() + settings.durationNs() + Progress.TURN_OVERHEAD_NS);
        this.settings = settings;
        this.kernel = kernel;
    }

    @Override
    protected void takeTurns() throws IOException, InterruptedException {
        for (Arrangement arrangement : Arrangement.values()) {
            checkPermitted(arrangement);
        }
        for (int round = 1; round <= settings.rounds(); round++) {
            int thisRound = round;
            for (Arrangement arrangement : Arrangement.values()) {
                if (leftOut.containsKey(arrangement)) {
                    leaveOut();
                } else if (!take(arrangement.label(), round, () -> run(arrangement, thisRound))) {
                    return;
                }
            }
        }
    }

    @Override
    protected boolean failed(LevelsRun run) {
        return run.failed();
    }

    @Override
    protected String table(LevelsReport report) {
        return LevelsTable.render(report);
    }

    /** On a thread that ends again; what its process may do, the server's may. */
    private void checkPermitted(Arrangement arrangement) throws InterruptedException {
        if (arrangement.urgent() == null) {
            return;
        }
        Thread trying = new Thread(
                () -> {
                    try {
                        new Scheduler(kernel).apply(arrangement.urgent());
                    } catch (IOException refused) {
                        leftOut.put(arrangement, refused.getMessage());
                    }
                },
                "try-scheduling");
        trying.start();
        trying.join();
    }

    private LevelsRun run(Arrangement arrangement, int round) throws IOException, InterruptedException {
        try (Child server = stage().startServer(
                        arrangement.label(), LevelsServer.class, LevelsServer.arguments(arrangement, settings))) {
            String[] ports =
                    server.await(LevelsServer.LISTENING, START_TIMEOUT_NS).split(" ");
            LoadGenerator bulk = load(ports[1], settings.bulkConnections(), 0);
            LoadGenerator urgent = load(ports[0], LevelsSettings.URGENT_CONNECTIONS, settings.urgentRate());
            try {
                bulk.awaitConnected();
                urgent.awaitConnected();
                urgent.run(settings.warmupNs());
                bulk.beginMeasuring();
                urgent.beginMeasuring();
                urgent.run(settings.durationNs());
                urgent.endMeasuring();
                bulk.endMeasuring();
            } finally {
                urgent.finish();
                bulk.finish();
            }
            return LevelsRun.of(arrangement, round, urgent.finish(), bulk.finish());
        } catch (ChildFailedException failed) {
            return LevelsRun.notMeasured(arrangement, round, failed.getMessage() + "\n" + failed.log());
        }
    }

    private LoadGenerator load(String port, int connections, long rate) {
        LoadSettings load = new LoadSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)),
                Traffic.pingPong(connections, LevelsSettings.SIZE_BYTES).withRate(rate));
        return LoadGenerator.start(kernel, load, () -> {});
    }

    @Override
    protected LevelsReport report(List<LevelsRun> runs, boolean complete) {
        return new LevelsReport(
                LevelsReport.FORMAT,
                stage().startedAt(),
                complete,
                arguments(),
                stage().versions(),
                stage().reportedMachine(),
                stage().reportedJvm(),
                stage().reportedCpus(),
                LevelsReport.Settings.of(settings),
                leftOut,
                runs);
    }
}
