package org.cabrank.bench.levels;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.cabrank.affinity.Scheduler;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.run.Child;
import org.cabrank.bench.run.ChildFailedException;
import org.cabrank.bench.run.Progress;
import org.cabrank.bench.run.Stage;
import org.cabrank.kernel.Kernel;

/**
 * The experiment from beginning to end: in each round every arrangement once, in a process of its own, under a flood of
 * bulk requests and a steady trickle of urgent ones. When the user ends it early, the server is killed, and what was
 * finished is printed and written.
 */
public final class ServiceLevels {

    private static final long START_TIMEOUT_NS = 30_000_000_000L;

    private final LevelsSettings settings;
    private final List<String> arguments;
    private final Path jsonFile;
    private final PrintStream out;
    private final Kernel kernel;
    private final Stage stage;
    private final Progress progress;
    private final Map<Arrangement, String> leftOut = new EnumMap<>(Arrangement.class);
    private final List<LevelsRun> runs = new ArrayList<>();

    /**
     * @param arguments of the command line, for the report
     * @throws IllegalArgumentException when the settings ask for CPUs that this process may not use
     */
    public ServiceLevels(
            LevelsSettings settings,
            List<String> arguments,
            Path jsonFile,
            PrintStream out,
            PrintStream err,
            Kernel kernel)
            throws IOException {
        this.settings = settings;
        this.arguments = List.copyOf(arguments);
        this.jsonFile = jsonFile;
        this.out = out;
        this.kernel = kernel;
        stage = new Stage(kernel, settings.serverCpus(), settings.loadCpus());
        double turnNs = settings.warmupNs() + settings.durationNs() + Progress.TURN_OVERHEAD_NS;
        progress = new Progress(
                err, Progress.onTerminal(), settings.rounds() * Arrangement.values().length, turnNs, System.nanoTime());
    }

    /** Runs it; true when every run went well. */
    public boolean run() throws IOException, InterruptedException {
        stage.run(out, this::runAll, this::endEarly);
        progress.clear();
        publish(true);
        return runs().stream().noneMatch(LevelsRun::failed);
    }

    private void runAll() throws IOException, InterruptedException {
        for (Arrangement arrangement : Arrangement.values()) {
            checkPermitted(arrangement);
        }
        for (int round = 1; round <= settings.rounds(); round++) {
            for (Arrangement arrangement : Arrangement.values()) {
                if (!leftOut.containsKey(arrangement)) {
                    progress.begins(arrangement.label(), round, settings.rounds(), System.nanoTime());
                    LevelsRun run = run(arrangement, round);
                    if (stage.ending()) {
                        return;
                    }
                    synchronized (runs) {
                        runs.add(run);
                    }
                }
                progress.ended();
            }
        }
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
        try (Child server = stage.startServer(
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
                connections,
                LevelsSettings.SIZE_BYTES,
                1,
                rate,
                false,
                LoadSettings.DEFAULT_TIMEOUT_NS);
        return LoadGenerator.start(kernel, load, () -> {});
    }

    private List<LevelsRun> runs() {
        synchronized (runs) {
            return List.copyOf(runs);
        }
    }

    private void endEarly() {
        progress.clear();
        out.println("Ended early: this is what was finished.");
        try {
            publish(false);
        } catch (IOException notWritten) {
            out.println("cannot write " + jsonFile + ": " + notWritten.getMessage());
        }
        out.flush();
    }

    private void publish(boolean complete) throws IOException {
        LevelsReport report = new LevelsReport(
                LevelsReport.FORMAT,
                stage.startedAt(),
                complete,
                arguments,
                stage.versions(),
                stage.reportedMachine(),
                stage.reportedJvm(),
                stage.reportedCpus(),
                LevelsReport.Settings.of(settings),
                leftOut,
                runs());
        if (!report.runs().isEmpty()) {
            out.println();
            out.print(LevelsTable.render(report));
            JsonFile.write(report, jsonFile);
            out.println("Raw numbers: " + jsonFile);
        }
        out.flush();
    }
}
