package org.cabrank.bench.report.html;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.profile.CpuProfile;
import org.cabrank.bench.report.profile.MergedStacks;
import org.cabrank.bench.report.profile.StackDifference;

/**
 * Data of one cell for the script of flame graphs.
 *
 * @param frames names of frames
 * @param nodes of a tree that holds the stacks of all contenders: two numbers for each, its parent and its frame
 * @param samples for each contender: node, number of samples whose stack ends there, node, number, and so on
 * @param differences by {@code FIRST-SECOND}, two places among the contenders: frame, samples of the first, samples of the second, and
 *     so on, the largest difference of shares first
 */
record FlameData(
        String cell,
        List<Profiled> contenders,
        List<String> frames,
        List<Integer> nodes,
        List<List<Integer>> samples,
        Map<String, List<Long>> differences) {

    private static final int DIFFERENCES_MAX = 15;

    /**
     * @param samples number of samples
     * @param nsPerSample CPU time in ns for each request that a sample stands for; null: unknown
     */
    record Profiled(String name, boolean cabrank, long samples, Double nsPerSample) {}

    /** Data of the profiles of one cell. */
    static FlameData of(List<CpuProfile> profiles) {
        MergedStacks merged =
                MergedStacks.of(profiles.stream().map(CpuProfile::stacks).toList());
        Map<String, List<Long>> differences = new LinkedHashMap<>();
        for (int first = 0; first < profiles.size(); first++) {
            for (int second = first + 1; second < profiles.size(); second++) {
                differences.put(first + "-" + second, difference(profiles.get(first), profiles.get(second), merged));
            }
        }
        return new FlameData(
                profiles.get(0).cell(),
                profiles.stream().map(FlameData::profiled).toList(),
                merged.frames(),
                merged.nodes(),
                merged.samples(),
                differences);
    }

    private static Profiled profiled(CpuProfile profile) {
        double ns = profile.nsPerRequest(1);
        return new Profiled(
                profile.contender(),
                profile.contender().startsWith("cabrank-"),
                profile.stacks().total(),
                Double.isNaN(ns) ? null : (Double) ns);
    }

    private static List<Long> difference(CpuProfile first, CpuProfile second, MergedStacks merged) {
        List<Long> flat = new ArrayList<>();
        for (StackDifference one : StackDifference.top(first.stacks(), second.stacks(), DIFFERENCES_MAX)) {
            flat.addAll(List.of((long) merged.frames().indexOf(one.frame()), one.first(), one.second()));
        }
        return flat;
    }
}
