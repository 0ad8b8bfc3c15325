package org.cabrank.bench.scenario;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cells, number and length of measurements.
 *
 * @param cells in the order of measurement, group by group. Within a group, cells that measure the memory of connections come first,
 *     because a server that has served thousands of connections keeps their memory and would not allocate it again
 * @param turnout number of servers that are measured, including the control
 * @param rounds number of rounds; servers are started anew for each round
 * @param slices number of measured intervals of each server in each cell of a round
 * @param warmupNs minimum load time on a server that was just started; the maximum is {@link #WARMUP_MOST} times as long
 */
public record Plan(List<Cell> cells, Turnout turnout, int rounds, int slices, long warmupNs, long durationNs) {

    /** Named bound: a server that is not warm after so many times the minimum will not become warm. */
    public static final int WARMUP_MOST = 16;

    private static final int WINDOWS_LEAST = 4;

    /** Divisor of the warm-up: the quotient precedes each slice, to warm up its new connections. */
    private static final int SLICE_WARMUP_PART = 24;

    /** Number of warm-ups, about 1 s, in which the connections of a storm finish the handshakes that they begin together. */
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
    /** Minimum: shorter intervals have too few requests for a p99.9 at a low rate. */
    private static final long DURATION_LEAST_NS = 80_000_000L;

    // Measured on a machine with two CPUs for a server in a JVM.
    private static final long START_NS = 1_400_000_000L;
    private static final int WINDOWS_OF_FIRST_KIND = 8;
    private static final int WINDOWS_OF_OTHER_KINDS = 3;
    private static final long SLICE_NS = 50_000_000L;
    private static final long CONNECTION_NS = 60_000L;
    private static final long TLS_CONNECTION_NS = 1_000_000L;

    /** A confidence interval needs six pairs; with nine it may omit an outlier on either side. More rounds are better than more slices. */
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

    /** Chooses the values that the user has not set, so that the run fits into the time of {@code extent}. */
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

    /** Time until a new load generator's code is compiled. */
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

    /** Estimated time for one contender to start and to warm up for the cells of its group. */
    public long startNs(Needs group) {
        int otherKinds = Kinds.of(groups().get(group)).size() - 1;
        int windows = WINDOWS_OF_FIRST_KIND + otherKinds * WINDOWS_OF_OTHER_KINDS;
        long rehearsalsNs = groups().get(group).stream()
                .filter(Cell::rehearses)
                .mapToLong(this::sliceNs)
                .sum();
        return START_NS + windows * (warmupWindowNs() + SLICE_NS) + rehearsalsNs;
    }

    /** Estimated time of one measured interval of {@code cell}, including warm-up and connecting. */
    public long sliceNs(Cell cell) {
        return durationNs
                + sliceWarmupNs(cell)
                + SLICE_NS
                + (cell.needs().protocol().overTls() ? TLS_CONNECTION_NS : CONNECTION_NS)
                        * cell.traffic().connectionsInAll();
    }

    /** Number of intervals in which capacities of single contenders are measured. */
    public long capacityCount() {
        return perServer(cells.stream().filter(Cell::wantsEachCapacity), cell -> 1);
    }

    /** Estimated time of an interval that measures a contender's capacity, including warm-up and connecting. */
    public long capacityNs(Cell cell) {
        return sliceNs(cell) - durationNs + CAPACITY_NS;
    }

    /** Length of the interval: it has enough slow requests for an error of 10 %. */
    public static long capacityDurationNs() {
        return CAPACITY_NS;
    }

    /** Time of the load before an interval whose times do not count. */
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

    /** Values that the user sets; the plan chooses the null ones, so that the run fits into {@code timeNs}. */
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
