package org.cabrank.bench.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.Spread;
import org.cabrank.bench.report.Table;
import org.cabrank.bench.run.RunnerSettings;
import org.cabrank.bench.run.Stage;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.observe.Contention;

/**
 * {@code cabrank bench scaling} and {@code cabrank bench accept}: layouts of shards and threads, ways to share connections,
 * and placements of threads on the same CPUs, with a recommendation for each backend.
 */
public final class ServerLayouts extends ServersExperiment<ServerLayout> {

    private final Settings settings;
    private final Naming naming;

    /**
     * Settings of the experiment.
     *
     * @param layouts in the table's order
     * @param runs measurement of each layout, once per round
     * @param workNs CPU time in ns that each request takes
     * @param slow requests that also block
     * @param maxGapNs of deferred promotion
     * @param serverCount number of CPUs that the stage chooses for the server, if no CPUs are given
     */
    public record Settings(
            List<ServerLayout> layouts,
            RunnerSettings runs,
            long workNs,
            SlowRequests slow,
            long maxGapNs,
            int serverCount) {

        public Settings {
            layouts = List.copyOf(layouts);
            if (layouts.isEmpty()) {
                throw new IllegalArgumentException("nothing is left to be measured");
            }
            if (new HashSet<>(layouts).size() < layouts.size()) {
                throw new IllegalArgumentException("a value was given twice");
            }
            for (ServerLayout layout : layouts) {
                layout.server(workNs, slow, maxGapNs); // refuses values out of range
            }
        }
    }

    /** Short names of layouts: the properties in which they differ. */
    private static final class Naming {

        private final Map<String, Function<ServerLayout, String>> differing = new LinkedHashMap<>();
        private final List<String> common = new ArrayList<>();

        Naming(List<ServerLayout> layouts) {
            Map<String, Function<ServerLayout, String>> all = new LinkedHashMap<>();
            all.put("backend", ServerLayout::backend);
            all.put("shards x threads", ServerLayout::split);
            all.put("accept", ServerLayout::acceptWord);
            all.put("placement", ServerLayout::placement);
            all.forEach((title, property) -> {
                if (layouts.stream().map(property).distinct().count() == 1) {
                    common.add(title + " " + property.apply(layouts.get(0)));
                } else {
                    differing.put(title, property);
                }
            });
        }

        String name(ServerLayout layout) {
            return differing.isEmpty()
                    ? layout.toString()
                    : differing.values().stream()
                            .map(property -> property.apply(layout))
                            .collect(Collectors.joining(" "));
        }
    }

    /** @throws IllegalArgumentException if the settings ask for CPUs that this process may not use */
    public ServerLayouts(Settings settings, Output output, Kernel kernel) throws IOException {
        super(
                output,
                new Stage(
                        kernel,
                        settings.runs().serverCpus(),
                        settings.serverCount(),
                        settings.runs().loadCpus()),
                settings.runs(),
                settings,
                new Schedule<>(
                        settings.runs().rounds(),
                        settings.layouts(),
                        settings.runs().turnNs()));
        this.settings = settings;
        naming = new Naming(settings.layouts());
    }

    @Override
    String label(ServerLayout layout) {
        return naming.name(layout);
    }

    @Override
    String leftOutAs(ServerLayout layout) {
        return layout.backend();
    }

    @Override
    Contender contender(ServerLayout layout) {
        return layout.contender();
    }

    @Override
    ServerSettings server(ServerLayout layout) {
        return layout.server(settings.workNs(), settings.slow(), settings.maxGapNs());
    }

    @Override
    List<Figure<RunRecord>> figures() {
        return List.of(
                THROUGHPUT,
                P50,
                P99,
                P999,
                MAX_LATENCY,
                CPU,
                SWITCHES,
                MIGRATIONS,
                CONNECTION_IMBALANCE,
                REQUEST_IMBALANCE,
                PROMOTIONS,
                TAKEOVERS,
                CONTENDED,
                SERVER_BUSY,
                LOAD_BUSY);
    }

    @Override
    List<Recommendation<ServerLayout>> recommendations(VariantRuns<ServerLayout, RunRecord> trials) {
        List<Recommendation<ServerLayout>> all = new ArrayList<>();
        Map<String, List<ServerLayout>> backends = variants().stream()
                .collect(Collectors.groupingBy(ServerLayout::backend, LinkedHashMap::new, Collectors.toList()));
        backends.forEach((backend, own) -> all.add(recommendation(backend, own, trials)));
        if (backends.size() > 1) {
            all.add(recommendation("this machine", variants(), trials));
        }
        return all;
    }

    private static Recommendation<ServerLayout> recommendation(
            String among, List<ServerLayout> layouts, VariantRuns<ServerLayout, RunRecord> trials) {
        return new Recommendation.Search<>(
                        trials, THROUGHPUT, P999, ServerLayout.SIMPLEST_FIRST, new Naming(layouts)::name)
                .among(among, layouts);
    }

    @Override
    protected String table(ExperimentReport<ServerLayout, RunRecord> report) {
        VariantRuns<ServerLayout, RunRecord> trials = report.results();
        Naming shown = new Naming(variants());
        List<Column<ServerLayout>> columns = new ArrayList<>();
        shown.differing.forEach((title, property) -> columns.add(new Column<>(title, property)));
        columns.add(column("requests/s", trials, THROUGHPUT));
        columns.add(new Column<>("min-max", layout -> range(trials.spread(layout, THROUGHPUT))));
        columns.add(column("p50 us", trials, P50));
        columns.add(column("p99 us", trials, P99));
        columns.add(column("p99.9 us", trials, P999));
        columns.add(new Column<>("CPU us", layout -> Table.number(trials.median(layout, CPU), 2)));
        columns.add(column("cs/req", trials, SWITCHES));
        columns.add(column("migr/s", trials, MIGRATIONS));
        columns.add(column("conns", trials, CONNECTION_IMBALANCE));
        columns.add(column("requests", trials, REQUEST_IMBALANCE));
        columns.add(column("takeovers/s", trials, TAKEOVERS));
        columns.add(new Column<>("contended", layout -> {
            double most = trials.spread(layout, CONTENDED).max();
            return most > 0 ? (int) most + " of " + layout.shards() : "no";
        }));
        columns.add(new Column<>(
                "rounds", layout -> Integer.toString(trials.results(layout).size())));
        return table(columns, 1, variants()) + leftOutLines(report.leftOut()) + notes(report, trials, shown);
    }

    private static Column<ServerLayout> column(
            String title, VariantRuns<ServerLayout, RunRecord> trials, Figure<RunRecord> figure) {
        return new Column<>(title, layout -> trials.text(layout, figure));
    }

    private static String range(Spread perSecond) {
        return Double.isNaN(perSecond.min())
                ? Table.NOTHING
                : String.format("%.0f-%.0fk", perSecond.min() / 1e3, perSecond.max() / 1e3);
    }

    private String notes(
            ExperimentReport<ServerLayout, RunRecord> report,
            VariantRuns<ServerLayout, RunRecord> trials,
            Naming shown) {
        StringBuilder notes = new StringBuilder();
        if (!shown.common.isEmpty()) {
            notes.append("The same for all: ")
                    .append(String.join(", ", shown.common))
                    .append(".\n");
        }
        notes.append("Medians over the rounds. CPU, cs: CPU time and context switches of the server per request. migr:"
                + " migrations of its threads from one CPU to another.\nconns, requests: imbalance, the share of the busiest"
                + " shard relative to the mean; 1 is even. takeovers: by followers from leaders that stayed in a handler."
                + " contended: shards whose threads impeded one another at the leadership word, in the worst round.\n");
        if (trials.all().stream()
                .anyMatch(trial ->
                        !trial.failed() && Double.isNaN(MIGRATIONS.value().applyAsDouble(trial.result())))) {
            notes.append("Migrations are not known: this kernel does not show /proc/PID/task/TID/sched.\n");
        }
        notes.append(report.cpus().explanation()).append('\n');
        for (ServerLayout layout : variants()) {
            trials.results(layout).stream()
                    .flatMap(run -> contended(run.measured()).stream())
                    .max(Comparator.comparingDouble(Contention::wakeupsPerEvent))
                    .ifPresent(worst -> notes.append(shown.name(layout) + " is " + worst + "\n"));
        }
        notes.append(failureLines(trials));
        List<String> limited = report.cpus().shared()
                ? List.of()
                : variants().stream()
                        .filter(layout -> trials.median(layout, LOAD_BUSY)
                                > SATURATED * settings.runs().loadThreads(stage()))
                        .map(shown::name)
                        .toList();
        if (!limited.isEmpty()) {
            notes.append("The load generator was the limit of " + String.join(", ", limited)
                    + ": they may do more than these figures show.\n");
        }
        notes.append(Recommendation.RULE).append(' ').append(report.rule()).append('\n');
        report.recommendations().forEach(one -> notes.append(one).append('\n'));
        return notes.toString();
    }
}
