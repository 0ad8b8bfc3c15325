package org.cabrank.bench.report.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Difference between two profiles of a frame: samples whose stack ends in it.
 *
 * @param frame name as in {@link StackTree}
 * @param first samples of the first profile
 * @param second samples of the second profile
 * @param change difference of the shares in all samples of each profile, second minus first
 */
public record StackDifference(String frame, long first, long second, double change) {

    /** Returns the frames whose share differs most, at most {@code most}; those whose share does not differ are left out. */
    public static List<StackDifference> top(StackTree first, StackTree second, int most) {
        Map<String, Long> ofFirst = first.samplesByFrame();
        Map<String, Long> ofSecond = second.samplesByFrame();
        double allOfFirst = Math.max(1, first.total());
        double allOfSecond = Math.max(1, second.total());
        Set<String> frames = new LinkedHashSet<>(ofFirst.keySet());
        frames.addAll(ofSecond.keySet());
        List<StackDifference> differences = new ArrayList<>();
        for (String frame : frames) {
            long before = ofFirst.getOrDefault(frame, 0L);
            long after = ofSecond.getOrDefault(frame, 0L);
            double change = after / allOfSecond - before / allOfFirst;
            if (change != 0) {
                differences.add(new StackDifference(frame, before, after, change));
            }
        }
        differences.sort(Comparator.comparingDouble((StackDifference one) -> -Math.abs(one.change))
                .thenComparing(StackDifference::frame));
        return List.copyOf(differences.subList(0, Math.min(most, differences.size())));
    }
}
