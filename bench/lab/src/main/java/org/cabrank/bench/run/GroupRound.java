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
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.run.GeneratedLoad.Outcome;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Plan;

/**
 * The servers of one group of cells in one round. Each server is started and warmed up alone. Outside its measured intervals, a server is
 * stopped (SIGSTOP). So only one server runs at a time, and the intervals of different servers follow each other within seconds.
 */
final class GroupRound implements AutoCloseable {

    private static final long LET_GO_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    /** Divisor for the smaller number of idle connections. Even this number makes the server allocate what many connects at once need. */
    private static final int FEWER = 4;

    /** Maximum number of discarded intervals. If the compiler is still busy after them, it will always be busy. */
    private static final int REHEARSALS_MAX = 6;

    private final Stage stage;
    private final Plan plan;
    private final GeneratedLoad load;
    private final WarmUp warmUp;
    private final Pause pause;
    private final ServerSettings settings;
    private final JvmCommand jvm;
    private final int round;
    private final Consumer<String> unweighed;
    private final Map<String, ServerProcess> servers = new HashMap<>();
    private final Map<String, Absence> absences = new HashMap<>();

    private record Absence(String why, String log) {}

    private record Slice(int number, int position, long warmupNs, long durationNs) {}

    /** @param unweighed receives the name of each participant whose memory could not be measured, with the reason */
    GroupRound(
            Stage stage,
            Plan plan,
            List<Cell> cells,
            GeneratedLoad load,
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
     * Starts and warms up {@code who}. Returns null, or the failure that leaves {@code who} out of this group and round.
     *
     * @throws ContenderUnavailableException if {@code who} cannot run on this machine
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
            return leave(who, "warming up: " + text(failure, who, server), log(failure, server));
        }
        pause.stop(server.pid());
        return null;
    }

    boolean has(Participant who) {
        return servers.containsKey(who.name());
    }

    /** If {@code who} is left out of this group and round, returns a failed run for the report. If not, returns null. */
    RunRecord absence(Participant who, Cell cell, int slice, int position) {
        Absence absence = absences.get(who.name());
        if (absence == null) {
            return null;
        }
        absences.put(who.name(), new Absence(absence.why, ""));
        return RunRecord.notMeasured(round, position, who.name(), absence.why, absence.log)
                .in(cell.id(), slice);
    }

    /** Measures one interval. If it fails, {@code who} is left out. {@code position} is the place in the slice, from 1. */
    RunRecord measure(Participant who, Cell cell, LoadTraffic traffic, int slice, int position)
            throws IOException, InterruptedException {
        Slice timed = new Slice(slice, position, plan.sliceWarmupNs(cell), plan.durationNs());
        RunRecord failed = slice == 1 && cell.rehearses() ? rehearse(who, cell, traffic) : null;
        if (failed != null) {
            return failed.in(cell.id(), slice);
        }
        return slice == 1 && cell.weighs()
                ? weigh(who, cell, traffic, timed)
                : interval(who, cell, traffic, timed, GeneratedLoad.Watch.NOBODY);
    }

    /** Runs discarded intervals until the server's compiler is idle. Returns null, or the failure of an interval. */
    private RunRecord rehearse(Participant who, Cell cell, LoadTraffic traffic)
            throws IOException, InterruptedException {
        for (int i = 0; i < REHEARSALS_MAX; i++) {
            Slice slice = new Slice(RunRecord.UNCOMPARED, 1, plan.sliceWarmupNs(cell), plan.durationNs());
            RunRecord run = interval(who, cell, traffic, slice, GeneratedLoad.Watch.NOBODY);
            if (run.failed()) {
                return run;
            }
            if (run.measured().server().compilerShare() < Warmth.COMPILING) {
                return null;
            }
        }
        return null;
    }

    RunRecord capacity(Participant who, Cell cell) throws IOException, InterruptedException {
        Slice timed = new Slice(1, 1, plan.sliceWarmupNs(cell), Plan.capacityDurationNs());
        return interval(who, cell, cell.traffic(), timed, GeneratedLoad.Watch.NOBODY);
    }

    /** Also measures the memory of idle connections. For comparison, a short interval with fewer idle connections runs first. */
    private RunRecord weigh(Participant who, Cell cell, LoadTraffic traffic, Slice timed)
            throws IOException, InterruptedException {
        LoadTraffic less = traffic.withIdle(traffic.idleConnections() / FEWER);
        Weighing few = new Weighing(servers.get(who.name()), less.idleConnections());
        RunRecord first = interval(who, cell, less, shortSlice(cell, timed.position), few);
        if (first.failed()) {
            return first.in(cell.id(), timed.number);
        }
        Weighing many = few.andWith(traffic.idleConnections());
        RunRecord run = interval(who, cell, traffic, timed, many);
        many.unknownReason().ifPresent(why -> unweighed.accept(who.name() + ": " + why));
        return run;
    }

    private Slice shortSlice(Cell cell, int position) {
        return new Slice(RunRecord.UNCOMPARED, position, plan.shortWarmupNs(cell), plan.shortDurationNs());
    }

    private RunRecord interval(Participant who, Cell cell, LoadTraffic traffic, Slice slice, GeneratedLoad.Watch watch)
            throws IOException, InterruptedException {
        ServerProcess server = servers.get(who.name());
        pause.goOn(server.pid());
        try {
            load.prepare(server);
            if (cell.ownSlow() != null) {
                server.change(cell.ownSlow());
            }
            int descriptors = server.descriptors();
            Outcome outcome = load.run(server, traffic, slice.warmupNs, slice.durationNs, watch);
            boolean nothingWrong = slice.number == RunRecord.UNCOMPARED
                    && outcome.measured().errors().isEmpty();
            if (outcome.failure() == null || nothingWrong) {
                letGo(server, descriptors);
                boolean compiled = outcome.measured().server().compilerShare() >= Warmth.COMPILING;
                if (compiled || server.compiles()) {
                    server.awaitCompilerRest(); // otherwise the compiler would continue in the next interval
                }
                pause.stop(server.pid());
                return record(who, server, slice.position, outcome, null, "").in(cell.id(), slice.number);
            }
            String log = server.logTail();
            leave(who, "left out since it failed in " + cell.id() + ": " + outcome.failure(), "");
            return record(who, server, slice.position, outcome, outcome.failure(), log)
                    .in(cell.id(), slice.number);
        } catch (ChildFailedException failure) {
            String words = text(failure, who, server);
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
                outcome.measured());
    }

    /** Waits until the server has closed this interval's connections, because closing would disturb the next interval. */
    private static void letGo(ServerProcess server, int descriptors) throws ChildFailedException, InterruptedException {
        long startNs = System.nanoTime();
        while (server.descriptors() > descriptors && System.nanoTime() - startNs < LET_GO_TIMEOUT_NS) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private RunRecord leave(Participant who, String why, String log) {
        absences.put(who.name(), new Absence(why, log));
        ServerProcess server = servers.remove(who.name());
        if (server != null) {
            server.close();
        }
        return RunRecord.notMeasured(round, 0, who.name(), why, log);
    }

    private static String text(ChildFailedException failure, Participant who, ServerProcess server) {
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
