package org.cabrank.bench.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.GeneratorCheck;
import org.cabrank.bench.report.Pairs;
import org.cabrank.bench.report.statistics.Medians;
import org.cabrank.bench.report.statistics.SignTest;
import org.cabrank.bench.scenario.Cell;

/**
 * Checks of load generators against each other on one server: they take turns, so that what changes on the machine meets all,
 * and the first one is the reference. Changed by one thread, read by any.
 */
final class GeneratorChecks {

    /** Number of turns: the fewest whose interval of 95 % leaves out one turn on either side, which the machine may have robbed. */
    private static final int TURNS = 9;

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
        String words = "A load generator was not checked: " + why + ".";
        if (!remarks.contains(words)) {
            remarks.add(words);
        }
    }

    /**
     * Compares the rates that {@code sources} report of {@code server}, with the cell's load. The last source, which is this
     * project's own, is also asked for a constant rate, half of what the first one reports.
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
            add(cell, who, sources.get(0).name(), sources.get(i).name(), rates.get(0), rates.get(i));
        }
        long half = Math.max(1, Math.round(Medians.of(rates.get(0)) / 2));
        RateSource own = sources.get(sources.size() - 1);
        List<Double> held = new ArrayList<>();
        try {
            for (int turn = 0; turn < TURNS; turn++) {
                held.add(own.perSecond(server, traffic.withRate(half), durationNs));
            }
        } catch (IOException failed) {
            leaveOut(failed.getMessage());
            return;
        }
        String name = own.name() + " at a constant rate";
        add(cell, who, "the rate it was asked for", name, Collections.nCopies(TURNS, (double) half), held);
    }

    private void add(
            Cell cell, String who, String reference, String other, List<Double> ofReference, List<Double> ofOther) {
        List<Double> ratios = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
            ratios.add(ofOther.get(turn) / ofReference.get(turn));
        }
        checks.add(new GeneratorCheck(
                cell.id(),
                who,
                reference,
                other,
                Medians.of(ofReference),
                Medians.of(ofOther),
                SignTest.interval(ratios, Pairs.LEVEL)));
    }
}
