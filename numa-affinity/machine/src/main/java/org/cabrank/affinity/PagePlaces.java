package org.cabrank.affinity;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where the pages of a piece of memory were when the kernel was asked. Immutable.
 *
 * @param byNode how many pages were on each node that had any
 * @param untouched pages that nobody had touched yet: they get their node when somebody does
 * @param unknown pages of which the kernel did not say where they were: what is no memory of this process, and pages of zeros
 *     that share the kernel's one zero page, and get their node when somebody writes to them; since Linux 6.12 those of a huge
 *     page among them that had to be split to be moved ({@link NodeMemory#bind})
 */
public record PagePlaces(SortedMap<Integer, Long> byNode, long untouched, long unknown) {

    public PagePlaces {
        byNode = Collections.unmodifiableSortedMap(new TreeMap<>(byNode));
    }

    /** How many pages there are. */
    public long pages() {
        return byNode.values().stream().mapToLong(Long::longValue).sum() + untouched + unknown;
    }

    /** How many pages are on that node. */
    public long on(int node) {
        return byNode.getOrDefault(node, 0L);
    }

    /** Whether every page is on that node, or nowhere yet. */
    public boolean onlyOn(int node) {
        return on(node) + untouched == pages();
    }

    /** As {@code 12 pages on node 0, 3 on node 1, 4 untouched}. */
    @Override
    public String toString() {
        String nodes = byNode.entrySet().stream().map(PagePlaces::words).collect(Collectors.joining(", "));
        String rest = (untouched == 0 ? "" : ", " + untouched + " untouched")
                + (unknown == 0 ? "" : ", " + unknown + " of which the kernel does not say where");
        String all = nodes + rest;
        return all.isEmpty() ? "no pages" : all.startsWith(", ") ? all.substring(2) : all;
    }

    private static String words(Map.Entry<Integer, Long> node) {
        return node.getValue() + (node.getValue() == 1 ? " page" : " pages") + " on node " + node.getKey();
    }
}
