package org.cabrank.bench.scenario;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cells of a bench, and the number and the length of the measurements.
 *
 * @param cells in the order of measurement, group by group. Cells that measure the memory of connections are the first of a group, because
 *     a server may keep the memory of closed connections for later ones
 */
public record Plan(List<Cell> cells, Turnout turnout, int rounds, int slices, long warmupNs, long durationNs) {

    /** The warm-up ends at the latest after this multiple of the minimum time. */
    public static final int WARMUP_MOST = 16;

    private static final int WINDOWS_LEAST = 4;

    /** Each slice begins with 1/24 of the warm-up time, to warm up its new connections. */
    private static final int SLICE_WARMUP_PART = 24;

    /** If clients reconnect, each slice begins with twice the warm-up time, because all handshakes begin together. */
    private static final int STORM_WARMUPS = 2;

    private static final int GENERATOR_WARMUPS = 5;

    private static final long SHORT_MOST_NS = 100_000_000L;

    private static final long CAPACITY_NS = 400_000_000L;

    private static final int SHORT_WARMUP_PART = 2;

    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;
    private static final long STANDARD_NS = 13 * MINUTE + 15 * SECOND;

    private static final long QUICK_NS = 80 * SECOND;

    private static final long WARMUP_NS = 480_000_000L;
    private static final long DURATION_MOST_NS = SECOND;
    /** Minimum duration, because shorter intervals have too few requests for a p99.9 at a low rate. */
    private static final long DURATION_LEAST_NS = 80_000_000L;

    // Estimates, measured on a machine with two CPUs, with a server in a JVM.
    private static final long START_NS = 1_400_000_000L;
    private static final int WINDOWS_OF_FIRST_KIND = 8;
    private static final int WINDOWS_OF_OTHER_KINDS = 3;
    private static final long SLICE_NS = 50_000_000L;
    private static final long CONNECTION_NS = 60_000L;
    private static final long TLS_CONNECTION_NS = 1_000_000L;

    /** Rounds and slices, the best choice first. A confidence interval needs six pairs. With nine pairs, an outlier does not widen it. */
    private static final List<Times> STANDARD_TIMES = List.of(
            new Times(4, 4), new Times(3, 4), new Times(2, 6), new Times(1, 12), new Times(1, 9), new Times(1, 6));

    private static final List<Times> QUICK_TIMES = List.of(new Times(2, 5), new Times(1, 9), new Times(1, 6));

    private static final Comparator<Cell> WEIGHED_FIRST = Comparator.comparing(cell -> !cell.weighs());

    private record Times(int rounds, int slices) {}

    public Plan {
        cells = byGroup(cells).values().stream()
                .flatMap(group -> group.stream().sorted(WEIGHED_FIRST))
                .toList();
        if (cells.isEmpty()) {
            throw new IllegalArgumentException("nothing is left to be measured");
        }
    }

    /** Chooses the values that are null in {@code pace}. If {@code timeNs} is null, {@code extent} determines the time. */
    public static Plan of(List<Cell> cells, Turnout turnout, Wishes.Extent extent, MeasuringPace pace) {
        long warmupNs = pace.warmupNs() != null ? pace.warmupNs() : WARMUP_NS;
        boolean quick = extent == Wishes.Extent.QUICK;
        long timeNs = pace.timeNs() != null ? pace.timeNs() : quick ? QUICK_NS : STANDARD_NS;
        Plan plan = null;
        for (Times times : quick ? QUICK_TIMES : STANDARD_TIMES) {
            plan = as(cells, turnout, times, warmupNs, DURATION_LEAST_NS, pace);
            long leftNs = timeNs - plan.estimateNs();
            if (leftNs >= 0) {
                long longerNs = DURATION_LEAST_NS + leftNs / plan.sliceCount();
                return as(cells, turnout, times, warmupNs, Math.min(longerNs, DURATION_MOST_NS), pace);
            }
        }
        return plan;
    }

    private static Plan as(
            List<Cell> cells, Turnout turnout, Times times, long warmupNs, long durationNs, MeasuringPace pace) {
        return new Plan(
                cells,
                turnout,
                pace.rounds() != null ? pace.rounds() : times.rounds,
                pace.slices() != null ? pace.slices() : times.slices,
                warmupNs,
                pace.durationNs() != null ? pace.durationNs() : rounded(durationNs));
    }

    private static long rounded(long ns) {
        return ns / 10_000_000 * 10_000_000;
    }

    public Map<Needs, List<Cell>> groups() {
        return byGroup(cells);
    }

    private static Map<Needs, List<Cell>> byGroup(List<Cell> cells) {
        return cells.stream().collect(Collectors.groupingBy(Cell::needs, LinkedHashMap::new, Collectors.toList()));
    }

    public long warmupWindowNs() {
        return warmupNs / WINDOWS_LEAST;
    }

    public long sliceWarmupNs(Cell cell) {
        return cell.traffic().reconnecting() > 0 ? warmupNs * STORM_WARMUPS : warmupNs / SLICE_WARMUP_PART;
    }

    public long generatorWarmupNs() {
        return warmupNs * GENERATOR_WARMUPS;
    }

    private long perServer(Stream<Cell> some, ToLongFunction<Cell> each) {
        return some.mapToLong(cell -> each.applyAsLong(cell) * turnout.of(cell.needs()))
                .sum();
    }

    public long startCount() {
        return (long) rounds * groups().keySet().stream().mapToInt(turnout::of).sum();
    }

    public long sliceCount() {
        return rounds * slices * perServer(cells.stream(), cell -> 1);
    }

    /** Estimated time for one contender to start, and to warm up for all cells of its group. */
    public long startNs(Needs group) {
        int otherKinds = Kinds.of(groups().get(group)).size() - 1;
        int windows = WINDOWS_OF_FIRST_KIND + otherKinds * WINDOWS_OF_OTHER_KINDS;
        long rehearsalsNs = groups().get(group).stream()
                .filter(Cell::rehearses)
                .mapToLong(this::sliceNs)
                .sum();
        return START_NS + windows * (warmupWindowNs() + SLICE_NS) + rehearsalsNs;
    }

    public long sliceNs(Cell cell) {
        return durationNs
                + sliceWarmupNs(cell)
                + SLICE_NS
                + (cell.needs().protocol().overTls() ? TLS_CONNECTION_NS : CONNECTION_NS)
                        * cell.traffic().connectionsInAll();
    }

    public long capacityCount() {
        return perServer(cells.stream().filter(Cell::wantsEachCapacity), cell -> 1);
    }

    public long capacityNs(Cell cell) {
        return sliceNs(cell) - durationNs + CAPACITY_NS;
    }

    /** Duration of an interval that measures a capacity. It has enough slow requests for an error of at most 10 %. */
    public static long capacityDurationNs() {
        return CAPACITY_NS;
    }

    public long shortWarmupNs(Cell cell) {
        return sliceWarmupNs(cell) / SHORT_WARMUP_PART;
    }

    public long shortDurationNs() {
        return Math.min(durationNs, SHORT_MOST_NS);
    }

    public long estimateNs() {
        long slicesNs = slices * perServer(cells.stream(), this::sliceNs);
        long startsNs = groups().keySet().stream()
                .mapToLong(group -> startNs(group) * turnout.of(group))
                .sum();
        long capacityNs = perServer(cells.stream().filter(Cell::wantsEachCapacity), this::capacityNs);
        return generatorWarmupNs() + rounds * (startsNs + slicesNs) + capacityNs;
    }

    /** Values that the user may set. If a value is null, the plan chooses it so that the run fits into {@code timeNs}. */
    public record MeasuringPace(Integer rounds, Integer slices, Long warmupNs, Long durationNs, Long timeNs) {

        public static final MeasuringPace PLANNED = new MeasuringPace(null, null, null, null);

        private static final int TIMES_MAX = 1_000;

        public MeasuringPace(Integer rounds, Integer slices, Long warmupNs, Long durationNs) {
            this(rounds, slices, warmupNs, durationNs, null);
        }

        public MeasuringPace {
            check("rounds", rounds);
            check("slices", slices);
            if (durationNs != null && durationNs <= 0) {
                throw new IllegalArgumentException("the duration is zero: nothing would be measured");
            }
        }

        private static void check(String what, Integer times) {
            if (times != null && (times < 1 || times > TIMES_MAX)) {
                throw new IllegalArgumentException(what + " is " + times + ", expected 1 to " + TIMES_MAX);
            }
        }
    }
}
