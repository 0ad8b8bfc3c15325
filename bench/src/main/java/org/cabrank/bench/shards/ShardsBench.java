package org.cabrank.bench.shards;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.run.Experiment;
import org.cabrank.bench.run.Runner;
import org.cabrank.bench.run.Stage;
import org.cabrank.kernel.Kernel;

/** The comparison of arrangements: in each round every arrangement once, each round beginning with another. */
public final class ShardsBench extends Experiment<ShardsRun, ShardsReport> {

    private final ShardsSettings settings;
    private final Naming naming;
    /** Backends that cannot run here, and why. */
    private final Map<String, String> leftOut = new ConcurrentSkipListMap<>();

    /** @throws IllegalArgumentException when the settings ask for CPUs that this process may not use */
    public ShardsBench(ShardsSettings settings, Output output, Kernel kernel) throws IOException {
        super(
                output,
                new Stage(
                        kernel,
                        settings.runs().serverCpus(),
                        settings.serverCount(),
                        settings.runs().loadCpus()),
                settings.runs().rounds(),
                settings.runs().rounds() * settings.arrangements().size(),
                settings.runs().turnNs());
        this.settings = settings;
        naming = new Naming(settings.arrangements());
    }

    @Override
    protected void takeTurns() throws IOException, InterruptedException {
        List<Arrangement> arrangements = settings.arrangements();
        try (Runner runner = runner(settings.runs())) {
            for (int round = 1; round <= settings.runs().rounds(); round++) {
                for (int position = 1; position <= arrangements.size(); position++) {
                    Arrangement next = arrangements.get((position + round - 2) % arrangements.size());
                    if (!takeOrLeaveOut(runner, next, round, position)) {
                        return;
                    }
                }
            }
        }
        if (finished().isEmpty()) {
            stop(ShardsTable.leftOut(leftOut) + "Nobody is left: nothing was measured.");
        }
    }

    private boolean takeOrLeaveOut(Runner runner, Arrangement arrangement, int round, int position)
            throws IOException, InterruptedException {
        if (leftOut.containsKey(arrangement.backend())) {
            leaveOut();
            return true;
        }
        try {
            return take(
                    naming.name(arrangement),
                    round,
                    () -> new ShardsRun(
                            arrangement,
                            runner.run(
                                    round,
                                    position,
                                    arrangement.contender(),
                                    arrangement.server(settings.workNs(), settings.slow(), settings.maxGapNs()))));
        } catch (ContenderUnavailableException notHere) {
            leftOut.put(arrangement.backend(), notHere.getMessage());
            leaveOut();
            return true;
        }
    }

    @Override
    protected boolean failed(ShardsRun run) {
        return run.run().failed();
    }

    @Override
    protected String table(ShardsReport report) {
        return ShardsTable.render(report);
    }

    @Override
    protected ShardsReport report(List<ShardsRun> runs, boolean complete) {
        return new ShardsReport(
                ShardsReport.FORMAT,
                stage().startedAt(),
                complete,
                arguments(),
                stage().versions(),
                stage().reportedMachine(),
                stage().reportedJvm(),
                stage().reportedCpus(),
                new ShardsReport.Settings(
                        settings.runs().rounds(),
                        settings.runs().warmupNs(),
                        settings.runs().durationNs(),
                        settings.runs().connections(),
                        settings.runs().sizeBytes(),
                        settings.runs().loadThreads(stage()),
                        settings.workNs(),
                        settings.slow().permille(),
                        settings.slow().timeNs(),
                        settings.maxGapNs()),
                new TreeMap<>(leftOut),
                Recommendation.RULE,
                settings.arrangements().stream()
                        .filter(arrangement -> !leftOut.containsKey(arrangement.backend()))
                        .map(arrangement -> ArrangementSummary.of(arrangement, runs))
                        .toList(),
                recommendations(runs),
                runs);
    }

    private List<Recommendation> recommendations(List<ShardsRun> runs) {
        List<Recommendation> all = new ArrayList<>();
        List<String> backends = settings.arrangements().stream()
                .map(Arrangement::backend)
                .filter(backend -> !leftOut.containsKey(backend))
                .distinct()
                .toList();
        for (String backend : backends) {
            List<Arrangement> own = settings.arrangements().stream()
                    .filter(arrangement -> arrangement.backend().equals(backend))
                    .toList();
            all.add(Recommendation.of(backend, own, runs, new Naming(own)::name));
        }
        if (backends.size() > 1) {
            all.add(Recommendation.of("all", settings.arrangements(), runs, naming::name));
        }
        return all;
    }
}
