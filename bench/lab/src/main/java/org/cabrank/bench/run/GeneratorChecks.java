package org.cabrank.bench.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.GeneratorCheck;
import org.cabrank.bench.report.Pairs;
import org.cabrank.bench.report.Statistics;
import org.cabrank.bench.report.statistics.SignTest;
import org.cabrank.bench.scenario.Cell;

/**
 * Checks of load generators against each other on one server: they take turns, so that what changes on the machine meets all,
 * and the first one is the reference. Changed by one thread, read by any.
 */
final class GeneratorChecks {

    /** Number of turns: the fewest with an interval of 95 %. */
    private static final int TURNS = 6;

    private final List<GeneratorCheck> checks = new CopyOnWriteArrayList<>();
    private final List<String> remarks = new CopyOnWriteArrayList<>();

    /** Checks so far. */
    List<GeneratorCheck> checks() {
        return List.copyOf(checks);
    }

    /** Sentences about checks that were not possible. */
    List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** Notes the reason why a generator is not checked; once. */
    void leaveOut(String why) {
        String words = "Load generators were not checked against each other: " + why + ".";
        if (!remarks.contains(words)) {
            remarks.add(words);
        }
    }

    /**
     * Compares the rates that {@code sources} report of {@code server}, with the cell's load.
     *
     * @param who name of the server in the report
     * @throws ChildFailedException if the server failed
     */
    void check(String who, ServerProcess server, Cell cell, long durationNs, List<RateSource> sources)
            throws ChildFailedException, InterruptedException {
        List<List<Double>> rates = new ArrayList<>();
        sources.forEach(source -> rates.add(new ArrayList<>()));
        LoadTraffic traffic = cell.traffic();
        try {
            for (int turn = 0; turn < TURNS; turn++) {
                for (int i = 0; i < sources.size(); i++) {
                    int at = (turn + i) % sources.size();
                    rates.get(at).add(sources.get(at).perSecond(server, traffic, durationNs));
                }
            }
        } catch (IOException failed) {
            leaveOut(failed.getMessage());
            return;
        }
        for (int i = 1; i < sources.size(); i++) {
            List<Double> ratios = new ArrayList<>();
            for (int turn = 0; turn < TURNS; turn++) {
                ratios.add(rates.get(i).get(turn) / rates.get(0).get(turn));
            }
            checks.add(new GeneratorCheck(
                    cell.id(),
                    who,
                    sources.get(0).name(),
                    sources.get(i).name(),
                    Statistics.median(rates.get(0)),
                    Statistics.median(rates.get(i)),
                    SignTest.interval(ratios, Pairs.LEVEL)));
        }
    }
}
