package org.cabrank.bench.report.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * Stacks of several profiles in one tree.
 *
 * @param frames names of frames, each once
 * @param nodes two numbers for each node: its parent's index or {@link StackTree#ROOT}, and the index of its frame
 * @param samples for each profile two numbers for each node at which one of its stacks ends: the node, and the number of samples
 */
public record MergedStacks(List<String> frames, List<Integer> nodes, List<List<Integer>> samples) {

    /** Merges the trees; the result has their order. */
    public static MergedStacks of(List<StackTree> trees) {
        StackTree.Builder all = new StackTree.Builder();
        List<List<Integer>> samples = new ArrayList<>();
        for (StackTree tree : trees) {
            int[] merged = new int[tree.size()];
            List<Integer> own = new ArrayList<>();
            for (int node = 0; node < tree.size(); node++) {
                int parent = tree.parent(node);
                merged[node] = all.child(parent == StackTree.ROOT ? StackTree.ROOT : merged[parent], tree.frame(node));
                if (tree.samples(node) > 0) {
                    own.add(merged[node]);
                    own.add(tree.samples(node));
                }
            }
            samples.add(own);
        }
        StackTree tree = all.build();
        List<Integer> nodes = new ArrayList<>();
        for (int i = 0; i < tree.nodes().size(); i += StackTree.STRIDE) {
            nodes.add(tree.nodes().get(i));
            nodes.add(tree.nodes().get(i + 1));
        }
        return new MergedStacks(tree.frames(), nodes, samples);
    }
}
