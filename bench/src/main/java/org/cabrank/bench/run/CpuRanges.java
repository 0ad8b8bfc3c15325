package org.cabrank.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** CPU lists as the kernel writes them: {@code 0-3,8}. */
public final class CpuRanges {

    private static final int CPU_MAX = 8_191;

    private CpuRanges() {}

    /**
     * The CPUs of a list, ascending, each once.
     *
     * @throws IllegalArgumentException with words that say what is expected
     */
    public static List<Integer> parse(String text) {
        TreeSet<Integer> cpus = new TreeSet<>();
        for (String range : text.strip().split(",", -1)) {
            String[] ends = range.split("-", -1);
            try {
                int first = Integer.parseInt(ends[0].strip());
                int last = ends.length == 1 ? first : Integer.parseInt(ends[1].strip());
                if (ends.length > 2 || first < 0 || last < first || last > CPU_MAX) {
                    throw wrong(text);
                }
                for (int cpu = first; cpu <= last; cpu++) {
                    cpus.add(cpu);
                }
            } catch (NumberFormatException notANumber) {
                throw wrong(text);
            }
        }
        return new ArrayList<>(cpus);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException("'" + text + "' is not a CPU list: expected something like 0-3,8");
    }
}
