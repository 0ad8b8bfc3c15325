package org.cabrank.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.LabTls;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.measure.BacklogDrops;
import org.cabrank.bench.measure.CountableEvents;
import org.cabrank.bench.measure.EventCounters.UncountableException;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BlockingTables;
import org.cabrank.bench.report.LabTables;
import org.cabrank.bench.report.Precision;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.Topic;
import org.cabrank.bench.report.html.HtmlReport;
import org.cabrank.bench.report.summary.InShort;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.CellTurn;
import org.cabrank.bench.scenario.Needs;
import org.cabrank.bench.scenario.Plan;
import org.cabrank.bench.text.Durations;
import org.cabrank.kernel.Kernel;

/**
 * The comparison of contenders over the cells of scenarios: in each round every contender is started once for each group of
 * cells, and in each slice of each cell all of them are measured one after the other. Between rounds the {@link Agenda} looks
 * at the results and leaves out precise cells.
 */
public final class Lab extends Experiment {

    private final LabSettings settings;
    private final Plan plan;
    private final Failures failures;
    private final Participants participants;
    private final Agenda agenda;
    private final GeneratorChecks checks = new GeneratorChecks();

    private final BacklogDrops drops = BacklogDrops.fromNow();

    /** Events of servers that can be counted; changes if the kernel refuses later. */
    private volatile CountableEvents countable;

    /** Participants whose connections' memory could not be measured, with the reason; accessed by any thread. */
    private final Set<String> unweighed = new ConcurrentSkipListSet<>();

    private final Rates rates;

    /** Null: not asked for. */
    private final ProfileRound profiles;

    /** @throws IllegalArgumentException when the settings ask for CPUs that this process may not use */
    public Lab(LabSettings settings, Output output, Kernel kernel) throws IOException {
        this(settings, settings.plan(), output, kernel);
    }

    private Lab(LabSettings settings, Plan plan, Output output, Kernel kernel) throws IOException {
        super(
                output,
                new Stage(
                        kernel,
                        settings.cpus().server(),
                        Math.max(1, settings.server().shards().count()),
                        settings.cpus().load()),
                turns(plan),
                (double) atFirstNs(plan) / turns(plan));
        this.settings = settings;
        this.plan = plan;
        participants = new Participants(settings.entrants().contenders());
        agenda = new Agenda(plan, participants, progress());
        rates = new Rates(plan, participants);
        countable = CountableEvents.of(kernel);
        profiles = settings.profiles() ? new ProfileRound(stage(), plan, participants, rates) : null;
        failures = new Failures(progress()::say);
    }

    /** Starts and intervals; of a bench with looks those before the first one, because later ones are not known yet. */
    private static int turns(Plan plan) {
        long inRounds = plan.sliceCount() + plan.startCount();
        return Math.toIntExact((plan.looks() == null
                        ? inRounds
                        : inRounds / plan.rounds() * plan.looks().firstRound())
                + plan.countingCount()
                + plan.capacityCount());
    }

    private static long atFirstNs(Plan plan) {
        return plan.looks() == null ? plan.estimateNs() : plan.shortestNs();
    }

    @Override
    public boolean run() throws IOException, InterruptedException {
        say(plan.cells().size() + " cells, " + settings.entrants().contenders().size() + " contenders"
                + (settings.entrants().control() ? " and one of them again" : "") + ", " + rounds() + " of "
                + plan.slices() + " slices of " + Durations.format(plan.durationNs()) + ": "
                + (plan.looks() == null
                        ? "about " + minutes(plan.estimateNs())
                        : minutes(plan.shortestNs()) + " to " + minutes(plan.timeNs()))
                + ".");
        if (profiles != null) {
            say("Then the contenders are profiled, in " + profiles.intervals() + " intervals more: about "
                    + minutes(profiles.estimateNs()) + ".");
        }
        settings.measurements().feasible().leftOut().forEach((what, why) -> say(what + " is left out: " + why));
        return super.run();
    }

    /** Facts about this machine. */
    public BenchReport.Machine machine() {
        return stage().reportedMachine();
    }

    private String rounds() {
        return plan.looks() == null
                ? plan.rounds() + " rounds"
                : plan.looks().firstRound() + " to " + plan.rounds() + " rounds, until each ratio is within ± "
                        + Math.round(Precision.TARGET * 100) + " %,";
    }

    private static String minutes(long ns) {
        return ns < 90e9 ? Math.round(ns / 1e9) + " s" : Math.round(ns / 60e9) + " min";
    }

    @Override
    void takeTurns() throws IOException, InterruptedException {
        boolean overTls = plan.groups().keySet().stream()
                .anyMatch(needs -> needs.protocol().overTls());
        if (!overTls) {
            takeTurns(settings.server());
            return;
        }
        Path directory = Files.createTempDirectory("cabrank-tls-");
        LabTls tls = LabTls.create(directory);
        try {
            takeTurns(settings.server().withTls(tls));
        } finally {
            Files.deleteIfExists(tls.certificate());
            Files.deleteIfExists(tls.key());
            Files.deleteIfExists(directory);
        }
    }

    /** @param servers settings of servers, before those of cells */
    private void takeTurns(ServerSettings servers) throws IOException, InterruptedException {
        try (GeneratedLoad generator =
                        new GeneratedLoad(stage(), settings.cpus().loadThreads(), plan.generatorWarmupNs());
                WrkLoad wrk = new WrkLoad(stage(), settings.cpus().loadThreads())) {
            Loaders loaders = new Loaders(generator, wrk);
            for (int round = 1; ; round++) {
                Map<Needs, List<CellTurn>> groups = agenda.turns(round, finished(), progress()::say);
                if (groups.isEmpty()) {
                    if (profiles != null) {
                        profiles.take(loaders, servers, progress()::say);
                    }
                    return;
                }
                for (Map.Entry<Needs, List<CellTurn>> group : groups.entrySet()) {
                    Needs needs = group.getKey();
                    if (!take(round, needs, group.getValue(), loaders, servers)) {
                        return;
                    }
                }
            }
        }
    }

    /** False when the bench is to end. */
    private boolean take(
            int round, Needs needs, List<CellTurn> turns, Loaders loaders, ServerSettings settingsOfServers)
            throws IOException, InterruptedException {
        List<Cell> cells = turns.stream().map(CellTurn::cell).toList();
        Loader load = loaders.of(needs);
        try (GroupRound servers =
                new GroupRound(stage(), plan, cells, load, needs.settings(settingsOfServers), round, unweighed::add)) {
            for (Contender contender : settings.entrants().contenders()) {
                if (contender.serves(needs.protocol()) && !start(Participant.of(contender), servers, needs, round)) {
                    return false;
                }
            }
            if (participants.present().isEmpty()) {
                stop(LabTables.leftOut(participants.leftOut()) + "Nobody is left: nothing was measured.");
                return false;
            }
            if (settings.entrants().control()
                    && participants.baseline().serves(needs.protocol())
                    && !start(participants.control(), servers, needs, round)) {
                return false;
            }
            for (int i = 0; i < cells.size(); i++) {
                int slices = turns.get(i).slices();
                for (int slice = 1; slice <= slices; slice++) {
                    int first = i + round * slices + slice;
                    if (!takeSlice(servers, cells.get(i), round, slice, first)) {
                        return false;
                    }
                }
                if (round == 1 && settings.entrants().checksGenerators() && needs.byWrk()) {
                    checkGenerators(servers, cells.get(i), loaders);
                }
                if (round == 1 && plan.counts(cells.get(i)) && !countEvents(servers, cells.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Has other programs send the cell's load to the baseline: a figure that one generator alone reports may be an effect of that generator. */
    private void checkGenerators(GroupRound servers, Cell cell, Loaders loaders)
            throws IOException, InterruptedException {
        Participant who = Participant.of(participants.baseline());
        if (cell.needs().protocol().overTls() || !servers.has(who)) {
            return;
        }
        progress().begins(cell.id() + ", checking generators", who.name(), 1, plan.rounds(), System.nanoTime());
        List<RateSource> sources = List.of(
                new RateSource("wrk", loaders.wrk(), 0),
                new RateSource("cabrank load", loaders.own(), plan.warmupNs() / 2));
        servers.check(who, cell, checks, sources);
    }

    private boolean start(Participant who, GroupRound servers, Needs needs, int round)
            throws IOException, InterruptedException {
        progress()
                .begins(
                        "starting servers (" + needs.group() + ")",
                        who.name(),
                        round,
                        plan.rounds(),
                        System.nanoTime());
        if (participants.runs(who)) {
            try {
                RunRecord failed = servers.start(who);
                if (failed != null && stage().awaitEnding()) {
                    return false;
                }
                if (failed != null) {
                    failures.tell(failed, "round " + round + ", " + needs.group());
                }
            } catch (ContenderUnavailableException notHere) {
                participants.leaveOut(who, notHere.getMessage());
            }
        }
        progress().ended(plan.startNs(needs));
        return !stage().ending();
    }

    private boolean takeSlice(GroupRound servers, Cell cell, int round, int slice, int first)
            throws IOException, InterruptedException {
        List<Participant> order = participants.from(first, cell.needs().protocol());
        if (cell.quietNs() > 0) {
            servers.rest(cell.quietNs());
        }
        for (int i = 0; i < order.size(); i++) {
            Participant who = order.get(i);
            progress().begins(cell.id(), who.name(), round, plan.rounds(), System.nanoTime());
            if (rates.prepare(servers, who, cell)) {
                progress().ended(plan.capacityNs(cell));
            }
            if (servers.has(who)) {
                RunRecord run = servers.measure(who, cell, rates.traffic(who, cell), slice, i + 1);
                if (!count(run)) {
                    return false;
                }
                if (run.failed()) {
                    failures.tell(run, "round " + round + ", " + cell.id());
                }
            } else if (slice == 1) {
                RunRecord absence = servers.absence(who, cell, slice, i + 1);
                if (absence != null && !count(absence)) {
                    return false;
                }
            }
            progress().ended(plan.sliceNs(cell));
        }
        return true;
    }

    /** In the first round only: what a request makes a server do does not change from start to start. */
    private boolean countEvents(GroupRound servers, Cell cell) throws IOException, InterruptedException {
        List<Participant> all = participants.from(0, cell.needs().protocol());
        for (int i = 0; i < all.size(); i++) {
            if (servers.has(all.get(i)) && !countable.isEmpty() && !countEvents(servers, cell, all.get(i), i + 1)) {
                return false;
            }
            progress().ended(plan.countingNs(cell));
        }
        return true;
    }

    private boolean countEvents(GroupRound servers, Cell cell, Participant who, int position)
            throws IOException, InterruptedException {
        progress().begins(cell.id() + ", counting", who.name(), 1, plan.rounds(), System.nanoTime());
        try {
            RunRecord run = servers.count(who, cell, rates.traffic(who, cell), countable, position);
            if (run != null && !count(run)) {
                return false;
            }
            if (run != null && run.failed()) {
                failures.tell(run, "counting events of " + cell.id());
            }
        } catch (UncountableException refused) {
            countable = countable.without("Events are not counted: " + refused.getMessage() + ".");
        }
        return true;
    }

    @Override
    String table(BenchReport report) {
        String tables = switch (Topic.of(report)) {
            case BLOCKING -> BlockingTables.render(report);
            case GENERAL -> LabTables.render(report);
        };
        return tables + "\n" + InShort.of(report);
    }

    @Override
    void written(BenchReport report) throws IOException {
        HtmlReport.write(report, settings.page());
        say("Page: " + settings.page());
    }

    @Override
    BenchReport report(List<RunRecord> runs, boolean complete) {
        List<String> notes = new ArrayList<>(countable.leftOut());
        unweighed.forEach(who -> notes.add("The memory of connections was not weighed of " + who + "."));
        drops.words().ifPresent(notes::add);
        return new LabReport(settings, plan, participants, rates, notes, checks, stage())
                .of(runs, agenda.precision(runs), arguments(), complete)
                .withProfiles(profiles == null ? null : profiles.report());
    }
}
