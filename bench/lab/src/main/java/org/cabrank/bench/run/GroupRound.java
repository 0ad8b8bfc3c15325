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
 * The servers of one group of cells in one round. Each server is started and warmed up alone, and is stopped (SIGSTOP) outside its measured
 * intervals: measurements to be compared are seconds apart, and no other server runs at the same time. {@link #close} ends all servers.
 */
final class GroupRound implements AutoCloseable {

    /** Longest wait for a server to close connections whose clients have gone. */
    private static final long LET_GO_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    /** Divisor for the smaller number of idle connections, with which a server still allocates what it needs for many connects at once. */
    private static final int FEWER = 4;

    /** Named bound: a compiler that is still busy after so many intervals is always busy in this server. */
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

    /** The reason why a participant is left out of this group and round; {@code log} is reported only once. */
    private record Absence(String why, String log) {}

    private record Slice(int number, int position, long warmupNs, long durationNs) {}

    /** @param unweighed receives the participants whose connections' memory could not be measured, with the reason */
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
     * Starts {@code who} and warms it up. Returns null, or a failure outside any cell if {@code who} is left out of this group and round.
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

    /** Returns true if {@code who} was started and has not failed so far. */
    boolean has(Participant who) {
        return servers.containsKey(who.name());
    }

    /** Returns a failure in place of a run if {@code who} is left out of this group and round; null if {@code who} is not left out. */
    RunRecord absence(Participant who, Cell cell, int slice, int position) {
        Absence absence = absences.get(who.name());
        if (absence == null) {
            return null;
        }
        absences.put(who.name(), new Absence(absence.why, ""));
        return RunRecord.notMeasured(round, position, who.name(), absence.why, absence.log)
                .in(cell.id(), slice);
    }

    /** Measures one interval. After a failure {@code who} is left out of this group and round. {@code position}: in the slice, from 1. */
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

    /** Runs intervals that do not count until the server's compiler is at rest. Returns null, or a failure if {@code who} is left out. */
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

    /** Measures requests per second in a closed loop. After a failure {@code who} is left out, as after {@link #measure}. */
    RunRecord capacity(Participant who, Cell cell) throws IOException, InterruptedException {
        Slice timed = new Slice(1, 1, plan.sliceWarmupNs(cell), Plan.capacityDurationNs());
        return interval(who, cell, cell.traffic(), timed, GeneratedLoad.Watch.NOBODY);
    }

    /** Also measures the memory of idle connections, by a preceding interval with fewer idle connections, whose times are discarded. */
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

    /** Waits until the server has closed this interval's connections, which it would otherwise close in the next interval. */
    private static void letGo(ServerProcess server, int descriptors) throws ChildFailedException, InterruptedException {
        long startNs = System.nanoTime();
        while (server.descriptors() > descriptors && System.nanoTime() - startNs < LET_GO_TIMEOUT_NS) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Ends a server that cannot be trusted any more. */
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
