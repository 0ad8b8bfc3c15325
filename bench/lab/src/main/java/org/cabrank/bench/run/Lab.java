package org.cabrank.bench.run;

import java.io.IOException;
import java.io.PrintStream;
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
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.html.HtmlReport;
import org.cabrank.bench.report.summary.Caution;
import org.cabrank.bench.report.summary.InShort;
import org.cabrank.bench.report.summary.LabTables;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Needs;
import org.cabrank.bench.scenario.Plan;
import org.cabrank.bench.text.Durations;
import org.cabrank.bench.text.StandardStream;
import org.cabrank.kernel.Kernel;

/** Compares contenders over the cells of scenarios. In each slice of a cell, all contenders are measured one after the other. */
public final class Lab {

    private final LabSettings settings;
    private final Output output;
    private final Plan plan;
    private final Stage stage;
    private final Progress progress;
    private final Failures failures;
    private final Participants participants;
    private final BacklogDrops drops = BacklogDrops.fromNow();
    private final Rates rates;
    private final List<RunRecord> finished = new ArrayList<>();

    /** A line for each participant whose memory could not be measured. */
    private final Set<String> unweighed = new ConcurrentSkipListSet<>();

    private String stopped;

    /** {@code out} gets the tables, and {@code err} gets the progress. */
    public record Output(List<String> arguments, Path jsonFile, PrintStream out, PrintStream err) {
        public Output {
            arguments = List.copyOf(arguments);
        }
    }

    public Lab(LabSettings settings, Output output, Kernel kernel) throws IOException {
        this.settings = settings;
        this.output = output;
        plan = settings.plan();
        stage = new Stage(
                kernel,
                settings.cpus().server(),
                Math.max(1, settings.server().shards().count()),
                settings.cpus().load());
        int turns = Math.toIntExact(plan.sliceCount() + plan.startCount() + plan.capacityCount());
        progress = new Progress(
                output.err(),
                StandardStream.ERROR.terminal().isPresent(),
                turns,
                (double) plan.estimateNs() / turns,
                System.nanoTime());
        participants = new Participants(settings.entrants().contenders());
        rates = new Rates(plan, participants);
        failures = new Failures(progress::say);
    }

    public boolean run() throws IOException, InterruptedException {
        say(String.format(
                "%d cells, %d contenders%s, %d rounds of %d slices of %s: about %s.",
                plan.cells().size(),
                settings.entrants().contenders().size(),
                settings.entrants().control() ? " and one of them again" : "",
                plan.rounds(),
                plan.slices(),
                Durations.format(plan.durationNs()),
                minutes(plan.estimateNs())));
        settings.measurements().feasible().leftOut().forEach((what, why) -> say(what + " is left out: " + why));
        stage.run(output.out(), this::takeRounds, this::endEarly);
        progress.clear();
        if (stopped != null) {
            say(stopped);
        }
        publish(stopped == null);
        List<RunRecord> results = finished();
        return !results.isEmpty() && results.stream().noneMatch(RunRecord::failed);
    }

    private static String minutes(long ns) {
        return ns < 90e9 ? Math.round(ns / 1e9) + " s" : Math.round(ns / 60e9) + " min";
    }

    private void takeRounds() throws IOException, InterruptedException {
        boolean overTls = plan.groups().keySet().stream()
                .anyMatch(needs -> needs.protocol().overTls());
        if (!overTls) {
            takeRounds(settings.server());
            return;
        }
        Path directory = Files.createTempDirectory("cabrank-tls-");
        LabTls tls = LabTls.create(directory);
        try {
            takeRounds(settings.server().withTls(tls));
        } finally {
            Files.deleteIfExists(tls.certificate());
            Files.deleteIfExists(tls.key());
            Files.deleteIfExists(directory);
        }
    }

    private void takeRounds(ServerSettings servers) throws IOException, InterruptedException {
        try (GeneratedLoad load = new GeneratedLoad(stage, settings.cpus().loadThreads(), plan.generatorWarmupNs())) {
            for (int round = 1; round <= plan.rounds(); round++) {
                for (Map.Entry<Needs, List<Cell>> group : plan.groups().entrySet()) {
                    if (!take(round, group.getKey(), group.getValue(), load, servers)) {
                        return;
                    }
                }
            }
        }
    }

    /** Returns false if the bench must end. */
    private boolean take(int round, Needs needs, List<Cell> cells, GeneratedLoad load, ServerSettings usual)
            throws IOException, InterruptedException {
        try (GroupRound servers =
                new GroupRound(stage, plan, cells, load, needs.settings(usual), round, unweighed::add)) {
            for (Contender contender : settings.entrants().contenders()) {
                if (contender.serves(needs.protocol()) && !start(Participant.of(contender), servers, needs, round)) {
                    return false;
                }
            }
            if (participants.present().isEmpty()) {
                stopped = String.join("\n", Caution.leftOut(participants.leftOut()))
                        + "\nNobody is left: nothing was measured.";
                return false;
            }
            if (settings.entrants().control()
                    && participants.baseline().serves(needs.protocol())
                    && !start(participants.control(), servers, needs, round)) {
                return false;
            }
            for (int i = 0; i < cells.size(); i++) {
                for (int slice = 1; slice <= plan.slices(); slice++) {
                    if (!takeSlice(servers, cells.get(i), round, slice, i + round * plan.slices() + slice)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    private boolean start(Participant who, GroupRound servers, Needs needs, int round)
            throws IOException, InterruptedException {
        begins("starting servers (" + needs.group() + ")", who, round);
        if (participants.runs(who)) {
            try {
                RunRecord failed = servers.start(who);
                if (failed != null && stage.awaitEnding()) {
                    return false;
                }
                if (failed != null) {
                    failures.report(failed, "round " + round + ", " + needs.group());
                }
            } catch (ContenderUnavailableException notHere) {
                participants.leaveOut(who, notHere.getMessage());
            }
        }
        progress.ended(plan.startNs(needs));
        return !stage.ending();
    }

    private boolean takeSlice(GroupRound servers, Cell cell, int round, int slice, int first)
            throws IOException, InterruptedException {
        List<Participant> order = participants.from(first, cell.needs().protocol());
        for (int i = 0; i < order.size(); i++) {
            Participant who = order.get(i);
            begins(cell.id(), who, round);
            if (rates.prepare(servers, who, cell)) {
                progress.ended(plan.capacityNs(cell));
            }
            if (servers.has(who)) {
                RunRecord run = servers.measure(who, cell, rates.traffic(who, cell), slice, i + 1);
                if (!count(run)) {
                    return false;
                }
                if (run.failed()) {
                    failures.report(run, "round " + round + ", " + cell.id());
                }
            } else if (slice == 1) {
                RunRecord absence = servers.absence(who, cell, slice, i + 1);
                if (absence != null && !count(absence)) {
                    return false;
                }
            }
            progress.ended(plan.sliceNs(cell));
        }
        return true;
    }

    private void begins(String topic, Participant who, int round) {
        progress.begins(topic, who.name(), round, plan.rounds(), System.nanoTime());
    }

    /** Keeps the result and returns true. If the user has ended the bench, drops the result and returns false. */
    private boolean count(RunRecord result) throws InterruptedException {
        if (result.failed() ? stage.awaitEnding() : stage.ending()) {
            return false;
        }
        synchronized (finished) {
            finished.add(result);
        }
        return true;
    }

    private List<RunRecord> finished() {
        synchronized (finished) {
            return List.copyOf(finished);
        }
    }

    private void say(String line) {
        output.out().println(line);
    }

    /** Called by the shutdown hook. If the main thread is still in a run, the run fails, because the children have ended. */
    private void endEarly() {
        progress.clear();
        say("Ended early: this is what was finished.");
        try {
            publish(false);
        } catch (IOException notWritten) {
            say("cannot write " + output.jsonFile() + ": " + notWritten.getMessage());
        }
        output.out().flush();
    }

    private void publish(boolean complete) throws IOException {
        List<RunRecord> results = finished();
        if (!results.isEmpty()) {
            List<String> remarks = new ArrayList<>();
            unweighed.forEach(who -> remarks.add("The memory of connections was not weighed of " + who + "."));
            drops.text().ifPresent(remarks::add);
            BenchReport report = new LabReport(settings, plan, participants, rates, remarks, stage)
                    .of(results, output.arguments(), complete);
            output.out().println();
            output.out().print(LabTables.render(report) + "\n" + InShort.of(report));
            JsonFile.write(report, output.jsonFile());
            say("Raw numbers: " + output.jsonFile());
            HtmlReport.write(report, settings.page());
            say("Page: " + settings.page());
        }
        output.out().flush();
    }
}
