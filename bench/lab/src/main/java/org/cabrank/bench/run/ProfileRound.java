package org.cabrank.bench.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.NativeContender;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.measure.KernelStacks;
import org.cabrank.bench.profile.CollapsedStacks;
import org.cabrank.bench.profile.CpuProfiler;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.profile.CpuProfile;
import org.cabrank.bench.report.profile.ProfileReport;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Needs;
import org.cabrank.bench.scenario.Plan;

/**
 * The round after the measured ones, in which contenders are profiled: in processes of their own, with flags that measured
 * processes do not have, so that the profiler disturbs no measured interval.
 */
final class ProfileRound {

    /** Length of a profiled interval in terms of a measured one: samples are rare, one for each ms of CPU time. */
    private static final int LONGER = 4;

    private static final long LONGEST_NS = 4_000_000_000L;

    private static final String FILE = "recorded";

    private final Stage stage;
    private final Plan plan;
    private final Participants participants;
    private final Rates rates;
    private final String event;
    private final List<CpuProfile> profiles = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();

    ProfileRound(Stage stage, Plan plan, Participants participants, Rates rates) {
        this.stage = stage;
        this.plan = plan;
        this.participants = participants;
        this.rates = rates;
        Optional<String> obstacle = KernelStacks.obstacle(stage.kernel());
        event = obstacle.isEmpty() ? CpuProfiler.WITH_KERNEL : CpuProfiler.USER_ONLY;
        obstacle.ifPresent(notes::add);
    }

    /** Number of intervals. */
    long intervals() {
        return cells(plan.cells()).mapToLong(cell -> profiled(cell.needs())).sum();
    }

    /** Estimated time in ns. */
    long estimateNs() {
        long starts = plan.groups().keySet().stream()
                .mapToLong(needs -> plan.startNs(needs) * profiled(needs))
                .sum();
        return starts
                + cells(plan.cells())
                        .mapToLong(cell -> profiled(cell.needs())
                                * (plan.sliceNs(cell) - plan.durationNs(cell) + durationNs(cell)))
                        .sum();
    }

    /** Those that are profiled: a burst after a quiet time has too few samples. */
    private static Stream<Cell> cells(List<Cell> all) {
        return all.stream().filter(cell -> cell.quietNs() == 0);
    }

    private long profiled(Needs needs) {
        return participants.present().stream()
                .filter(contender -> contender.serves(needs.protocol()) && !(contender instanceof NativeContender))
                .count();
    }

    private long durationNs(Cell cell) {
        long measuredNs = plan.durationNs(cell);
        return Math.max(measuredNs, Math.min(LONGEST_NS, LONGER * measuredNs));
    }

    /** Profiles each contender in each cell, until that is done or the user ends the bench. {@code say} prints a line. */
    void take(Loaders loaders, ServerSettings settings, Consumer<String> say) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("cabrank-profile-");
        try {
            for (Map.Entry<Needs, List<Cell>> group : plan.groups().entrySet()) {
                say.accept("Profiling (" + group.getKey().group() + ")");
                Loader load = loaders.of(group.getKey());
                try (GroupRound servers = servers(group.getKey(), group.getValue(), load, settings)) {
                    take(servers, group.getKey(), group.getValue(), directory.resolve(FILE));
                }
            }
        } finally {
            Files.deleteIfExists(directory.resolve(FILE));
            Files.deleteIfExists(directory);
        }
    }

    private GroupRound servers(Needs needs, List<Cell> cells, Loader load, ServerSettings settings) {
        return new GroupRound(
                stage,
                plan,
                cells,
                load,
                needs.settings(settings),
                stage.jvm().with(List.of(CpuProfiler.JVM_FLAGS)),
                plan.rounds() + 1,
                unweighed -> {});
    }

    private void take(GroupRound servers, Needs needs, List<Cell> cells, Path file)
            throws IOException, InterruptedException {
        for (Contender contender : participants.present()) {
            if (!contender.serves(needs.protocol())) {
                continue;
            }
            if (contender instanceof NativeContender) {
                note(contender.name()
                        + " is not profiled: it is a program without a JVM; profile it with perf record.");
                continue;
            }
            Participant who = Participant.of(contender);
            if (!start(servers, who)) {
                continue;
            }
            for (Cell cell : cells(cells).toList()) {
                if (stage.ending()) {
                    return;
                }
                if (servers.has(who)) {
                    profile(servers, who, cell, file);
                }
            }
        }
    }

    private boolean start(GroupRound servers, Participant who) throws IOException, InterruptedException {
        try {
            RunRecord failed = servers.start(who);
            if (failed != null && !stage.awaitEnding()) {
                note(who.name() + " is not profiled: " + failed.failure() + ".");
            }
            return failed == null;
        } catch (ContenderUnavailableException notHere) {
            note(who.name() + " is not profiled: " + notHere.getMessage() + ".");
            return false;
        }
    }

    private void profile(GroupRound servers, Participant who, Cell cell, Path file)
            throws IOException, InterruptedException {
        rates.prepare(servers, who, cell);
        if (!servers.has(who)) {
            return;
        }
        ServerRecording recording = new ServerRecording(servers.server(who), event, file);
        RunRecord run = servers.observe(who, cell, rates.traffic(who, cell), durationNs(cell), recording);
        if (isWritten(recording, run, who.name() + " is not profiled in " + cell.id())) {
            CpuProfile profile = profile(file, cell, who, run.measured().answers());
            synchronized (profiles) {
                profiles.add(profile);
            }
        }
    }

    private CpuProfile profile(Path file, Cell cell, Participant who, long answers) throws IOException {
        CollapsedStacks read = CollapsedStacks.parse(Files.readAllLines(file, StandardCharsets.UTF_8));
        return new CpuProfile(
                cell.id(),
                who.name(),
                event,
                event.equals(CpuProfiler.WITH_KERNEL),
                CpuProfiler.INTERVAL_NS,
                answers,
                read.threads(),
                read.jvmSamples(),
                read.stacks());
    }

    /** Returns true if the interval went well; otherwise notes the reason after the words {@code failed}. */
    private boolean isWritten(ServerRecording recording, RunRecord run, String failed) throws InterruptedException {
        if (!run.failed() && recording.refusal() == null) {
            return true;
        }
        if (!stage.awaitEnding()) {
            note(failed + ": " + (run.failed() ? run.failure() : recording.refusal()) + ".");
        }
        return false;
    }

    private void note(String sentence) {
        synchronized (profiles) {
            notes.add(sentence);
        }
    }

    /** The profiles so far; any thread. */
    ProfileReport report() {
        synchronized (profiles) {
            return new ProfileReport(profiles, List.copyOf(notes));
        }
    }
}
