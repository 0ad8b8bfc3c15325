package org.cabrank.bench.run;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Needs;
import org.cabrank.bench.scenario.Plan;
import org.cabrank.bench.text.ByteSizes;

/**
 * Computes rates as shares of capacities. Each capacity is measured only once, so that the rate is the same in all rounds and their
 * latencies can be merged. One thread calls {@link #prepare}. Any thread may read.
 */
final class Rates {

    private final Plan plan;
    private final Participants participants;

    /** Capacity of the baseline by kind and size of requests. */
    private final Map<String, Capacity> baselines = new ConcurrentSkipListMap<>();

    /** Requests per second of each participant in a closed loop. */
    private final Map<Loaded, Double> each = new ConcurrentHashMap<>();

    private record Loaded(String who, Needs needs, LoadTraffic traffic, SlowRequests slow) {}

    Rates(Plan plan, Participants participants) {
        this.plan = plan;
        this.participants = participants;
    }

    /** Measures the capacity for the rate of {@code who} if it is unknown. Returns true if {@code who} itself was measured. */
    boolean prepare(GroupRound servers, Participant who, Cell cell) throws IOException, InterruptedException {
        if (cell.wantsEachCapacity()) {
            if (!servers.has(who) || each.containsKey(key(who, cell))) {
                return false;
            }
            RunRecord run = servers.capacity(who, cell);
            if (!run.failed()) {
                each.put(key(who, cell), run.measured().requestsPerSecond());
            }
            return true;
        }
        if (cell.wantsCapacity() && !baseline(cell).known()) {
            baselines.put(requests(cell), Capacity.of(servers, baselineFirst(), cell, plan));
        }
        return false;
    }

    private List<Contender> baselineFirst() {
        Contender baseline = participants.baseline();
        return Stream.concat(Stream.of(baseline), participants.present().stream())
                .distinct()
                .toList();
    }

    private Capacity baseline(Cell cell) {
        return baselines.getOrDefault(requests(cell), Capacity.UNKNOWN);
    }

    private static String requests(Cell cell) {
        return cell.needs().group() + ", " + ByteSizes.format(cell.traffic().sizeBytes(), " ");
    }

    LoadTraffic traffic(Participant who, Cell cell) {
        if (!cell.wantsEachCapacity()) {
            return baseline(cell).traffic(cell);
        }
        double capacity = each.getOrDefault(key(who, cell), 0.0);
        return cell.traffic().withRate(Math.max(1, Math.round(cell.rateShare() * capacity)));
    }

    /** Returns 0 if the capacity is unknown or different for each contender. */
    double capacity(Cell cell) {
        return cell.wantsEachCapacity() ? 0 : baseline(cell).perSecond();
    }

    List<String> notes() {
        if (!each.isEmpty()) {
            return List.of(
                    "Rates are shares of each contender's own requests per second in the same cell, in a closed loop"
                            + " before its first slice.");
        }
        return baselines.entrySet().stream()
                .filter(entry -> entry.getValue().known())
                .map(entry -> entry.getValue().text(entry.getKey()))
                .toList();
    }

    private static Loaded key(Participant who, Cell cell) {
        return new Loaded(who.name(), cell.needs(), cell.traffic(), cell.slow());
    }
}
