package org.cabrank.bench.report.profile;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sampled stacks as a tree: stacks with the same callers share their nodes.
 *
 * @param frames names of frames, each once; frames of the kernel end in {@link #KERNEL}, frames of Java in {@link #JAVA}
 * @param nodes three numbers for each node: its parent's index or {@link #ROOT}, the index of its frame, and the number of samples
 *     whose stack ends there. A parent precedes its children
 */
public record StackTree(List<String> frames, List<Integer> nodes) {

    /** Suffix of a frame of the kernel. */
    public static final String KERNEL = "_[k]";

    /** Suffix of a frame of Java. */
    public static final String JAVA = "_[j]";

    /** Parent of the outermost frames. */
    public static final int ROOT = -1;

    /** Numbers for each node. */
    public static final int STRIDE = 3;

    private static final int FRAME = 1;
    private static final int SAMPLES = 2;

    public StackTree {
        frames = List.copyOf(frames);
        nodes = List.copyOf(nodes);
        if (nodes.size() % STRIDE != 0) {
            throw new IllegalArgumentException(nodes.size() + " numbers are no nodes of " + STRIDE);
        }
    }

    /** Number of nodes. */
    @JsonIgnore
    public int size() {
        return nodes.size() / STRIDE;
    }

    /** Index of the parent of a node; {@link #ROOT}: none. */
    public int parent(int node) {
        return nodes.get(STRIDE * node);
    }

    /** Name of a node's frame. */
    public String frame(int node) {
        return frames.get(nodes.get(STRIDE * node + FRAME));
    }

    /** Samples whose stack ends at a node. */
    public int samples(int node) {
        return nodes.get(STRIDE * node + SAMPLES);
    }

    /** Number of samples in all. */
    @JsonIgnore
    public long total() {
        long total = 0;
        for (int node = 0; node < size(); node++) {
            total += samples(node);
        }
        return total;
    }

    /** Returns the samples of each frame in which a stack ends, in the order of the frames. */
    public Map<String, Long> samplesByFrame() {
        Map<String, Long> byFrame = new LinkedHashMap<>();
        for (int node = 0; node < size(); node++) {
            if (samples(node) > 0) {
                byFrame.merge(frame(node), (long) samples(node), Long::sum);
            }
        }
        return byFrame;
    }

    /** Collects stacks. */
    public static final class Builder {

        private final Map<String, Integer> frames = new LinkedHashMap<>();
        private final Map<Long, Integer> children = new HashMap<>();
        private final List<int[]> nodes = new ArrayList<>();

        /** Adds a stack, outermost frame first, that was sampled {@code samples} times. */
        public Builder add(List<String> stack, int samples) {
            int node = ROOT;
            for (String name : stack) {
                node = child(node, name);
            }
            if (node != ROOT) {
                nodes.get(node)[SAMPLES] += samples;
            }
            return this;
        }

        /** Returns the index of the node of {@code name} under {@code parent}, which is made if there is none. */
        int child(int parent, String name) {
            int frame = frames.computeIfAbsent(name, added -> frames.size());
            long key = (long) parent << Integer.SIZE | frame;
            return children.computeIfAbsent(key, added -> {
                nodes.add(new int[] {parent, frame, 0});
                return nodes.size() - 1;
            });
        }

        /** Returns the tree of all stacks so far. */
        public StackTree build() {
            List<Integer> flat = new ArrayList<>(STRIDE * nodes.size());
            for (int[] node : nodes) {
                for (int number : node) {
                    flat.add(number);
                }
            }
            return new StackTree(List.copyOf(frames.keySet()), flat);
        }
    }
}
