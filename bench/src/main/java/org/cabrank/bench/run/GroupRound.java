package org.cabrank.bench.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.load.Traffic;
import org.cabrank.bench.measure.CountableEvents;
import org.cabrank.bench.measure.UncountableException;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.run.Loader.Outcome;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Plan;

/**
 * The servers of one group of cells in one round. Each is started and warmed up alone, and stands stopped but for the
 * intervals in which it is measured: what is compared is measured within seconds, and nothing else runs meanwhile. Closing
 * ends them all.
 */
final class GroupRound implements AutoCloseable {

    /** A server that holds connections longer than this after their clients have gone takes them along. */
    private static final long LET_GO_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    /** Enough for a server to have what it needs for a crowd that connects at once, and many less than all. */
    private static final int FEWER = 4;

    private final Stage stage;
    private final Plan plan;
    private final Loader load;
    private final WarmUp warmUp;
    private final Pause pause;
    private final ServerSettings settings;
    private final JvmCommand jvm;
    private final int round;
    private final Consumer<String> unweighed;
    private final Map<String, ServerProcess> servers = new HashMap<>();
    private final Map<String, Absence> absences = new HashMap<>();

    /** Why somebody is out of it; {@code log} is to be shown once. */
    private record Absence(String why, String log) {}

    /** @param number as in {@link RunRecord} */
    private record Slice(int number, int position, long warmupNs, long durationNs) {}

    /**
     * @param cells those of the group
     * @param settings what its servers are started with
     * @param unweighed takes note of whose connections could not be weighed, and why
     */
    GroupRound(
            Stage stage,
            Plan plan,
            List<Cell> cells,
            Loader load,
            ServerSettings settings,
            int round,
            Consumer<String> unweighed) {
        this.stage = stage;
        this.plan = plan;
        this.load = load;
        this.settings = settings;
        this.round = round;
        this.unweighed = unweighed;
        pause = new Pause(stage.kernel());
        warmUp = new WarmUp(load, plan, cells, pause);
        jvm = cells.stream().anyMatch(Cell::weighs) ? stage.jvm().with(stage.weighingFlags()) : stage.jvm();
    }

    /**
     * Starts {@code who} and warms it up.
     *
     * @return null when it went well; else the failure, of no cell yet: {@code who} is out of this group and round
     * @throws ContenderUnavailableException when it cannot run on this machine
     */
    RunRecord start(Participant who) throws IOException, InterruptedException {
        ServerProcess server;
        try {
            server = ServerProcess.start(
                    who.contender(),
                    settings,
                    jvm,
                    stage.pinning(),
                    stage.cpus().server(),
                    stage.children());
        } catch (ChildFailedException failure) {
            return leave(who, failure.getMessage(), failure.log());
        }
        servers.put(who.name(), server);
        try {
            load.prepare(server);
            String wrong = warmUp.of(server);
            if (wrong != null) {
                return leave(who, "warming up: " + wrong, server.logTail());
            }
        } catch (ChildFailedException failure) {
            return leave(who, "warming up: " + words(failure, who, server), log(failure, server));
        }
        pause.stop(server.pid());
        return null;
    }

    /** Whether {@code who} was started and did nothing wrong so far. */
    boolean has(Participant who) {
        return servers.containsKey(who.name());
    }

    /** What stands in place of a run of {@code who}, which is out of this group and round; null when it never was in it. */
    RunRecord absence(Participant who, Cell cell, int slice, int position) {
        Absence absence = absences.get(who.name());
        if (absence == null) {
            return null;
        }
        absences.put(who.name(), new Absence(absence.why, ""));
        return RunRecord.notMeasured(round, position, who.name(), absence.why, absence.log)
                .in(cell.id(), slice);
    }

    /**
     * One measured interval of {@code who}, which this group has. When it fails, {@code who} is out of this group and round.
     *
     * @param position of {@code who} in the order of this slice, from 1
     */
    RunRecord measure(Participant who, Cell cell, Traffic traffic, int slice, int position)
            throws IOException, InterruptedException {
        Slice timed = new Slice(slice, position, plan.sliceWarmupNs(), plan.durationNs());
        return slice == 1 && cell.weighs()
                ? weigh(who, cell, traffic, timed)
                : interval(who, cell, traffic, timed, Loader.Watch.NOBODY);
    }

    /** In an interval besides, whose times are nobody's, with fewer of the idle connections. */
    private RunRecord weigh(Participant who, Cell cell, Traffic traffic, Slice timed)
            throws IOException, InterruptedException {
        Traffic less = traffic.withIdle(traffic.idleConnections() / FEWER);
        Weighing few = new Weighing(servers.get(who.name()), less.idleConnections());
        RunRecord first = interval(who, cell, less, shortSlice(timed.position), few);
        if (first.failed()) {
            return first.in(cell.id(), timed.number);
        }
        Weighing many = few.andWith(traffic.idleConnections());
        RunRecord run = interval(who, cell, traffic, timed, many);
        many.obstacle().ifPresent(why -> unweighed.accept(who.name() + ": " + why));
        return run;
    }

    private Slice shortSlice(int position) {
        return new Slice(RunRecord.COUNTING, position, plan.countingWarmupNs(), plan.countingDurationNs());
    }

    /**
     * The same, but for a short interval in which events are counted. Null when there was no request in it: it is short, and
     * a machine may be busy.
     *
     * @throws UncountableException when the kernel refuses: nothing was done
     */
    RunRecord count(Participant who, Cell cell, Traffic traffic, CountableEvents countable, int position)
            throws UncountableException, IOException, InterruptedException {
        try (Counting counting =
                new Counting(stage.kernel(), countable, servers.get(who.name()).pid())) {
            RunRecord run = interval(who, cell, traffic, shortSlice(position), counting);
            if (!run.failed() && run.measured().answers() == 0) {
                return null;
            }
            return run.failed() ? run : run.with(counting.added(run.measured()));
        }
    }

    private RunRecord interval(Participant who, Cell cell, Traffic traffic, Slice slice, Loader.Watch watch)
            throws IOException, InterruptedException {
        ServerProcess server = servers.get(who.name());
        pause.goOn(server.pid());
        try {
            load.prepare(server);
            int descriptors = server.descriptors();
            Outcome outcome = load.run(server, traffic, slice.warmupNs, slice.durationNs, watch);
            boolean nothingWrong = slice.number == RunRecord.COUNTING
                    && outcome.measured().errors().isEmpty();
            if (outcome.failure() == null || nothingWrong) {
                letGo(server, descriptors);
                boolean compiled = outcome.measured().server().compilerShare() >= Warmth.COMPILING;
                if (compiled || server.compiles()) {
                    server.awaitCompilerRest(); // else the next interval would go on with it
                }
                pause.stop(server.pid());
                return record(who, server, slice.position, outcome, null, "").in(cell.id(), slice.number);
            }
            String log = server.logTail();
            leave(who, "left out since it failed in " + cell.id() + ": " + outcome.failure(), "");
            return record(who, server, slice.position, outcome, outcome.failure(), log)
                    .in(cell.id(), slice.number);
        } catch (ChildFailedException failure) {
            String words = words(failure, who, server);
            String log = log(failure, server);
            leave(who, "left out since it failed in " + cell.id() + ": " + words, "");
            return RunRecord.notMeasured(round, slice.position, who.name(), words, log)
                    .in(cell.id(), slice.number);
        }
    }

    private RunRecord record(
            Participant who, ServerProcess server, int position, Outcome outcome, String failure, String log) {
        return new RunRecord(
                round,
                position,
                who.name(),
                failure,
                log,
                server.details(),
                server.startToFirstAnswerNs(),
                server.calibration(),
                outcome.measured());
    }

    /** What is left of this interval's connections is closed in this interval, not in the next one. */
    private static void letGo(ServerProcess server, int descriptors) throws ChildFailedException, InterruptedException {
        long startNs = System.nanoTime();
        while (server.descriptors() > descriptors && System.nanoTime() - startNs < LET_GO_TIMEOUT_NS) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Ends it: it cannot be trusted any more. */
    private RunRecord leave(Participant who, String why, String log) {
        absences.put(who.name(), new Absence(why, log));
        ServerProcess server = servers.remove(who.name());
        if (server != null) {
            server.close();
        }
        return RunRecord.notMeasured(round, 0, who.name(), why, log);
    }

    private static String words(ChildFailedException failure, Participant who, ServerProcess server) {
        return server.alive() ? failure.getMessage() : who.name() + " ended while it was measured";
    }

    private static String log(ChildFailedException failure, ServerProcess server) {
        String own = server.logTail();
        return own.isEmpty() ? failure.log() : own;
    }

    @Override
    public void close() {
        new ArrayList<>(servers.values()).forEach(ServerProcess::close);
        servers.clear();
    }
}
