package org.cabrank.affinity;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The memory nodes of the pages in a range of memory, as the kernel reported them at one moment. Immutable.
 *
 * @param byNode number of pages on each node that has any
 * @param untouched number of pages that no thread has touched yet; the kernel chooses their node at the first access
 * @param unknown number of pages whose node the kernel did not report: addresses that are not mapped, and pages that are
 *     mapped to the kernel's shared zero page until the first write; since Linux 6.12 also pages of a huge page that had to
 *     be split to be moved ({@link NodeMemory#bind})
 */
public record PagePlaces(SortedMap<Integer, Long> byNode, long untouched, long unknown) {

    public PagePlaces {
        byNode = Collections.unmodifiableSortedMap(new TreeMap<>(byNode));
    }

    /** Number of pages in the range. */
    public long pages() {
        return byNode.values().stream().mapToLong(Long::longValue).sum() + untouched + unknown;
    }

    /** Number of pages on {@code node}. */
    public long on(int node) {
        return byNode.getOrDefault(node, 0L);
    }

    /** Returns true if every page is on {@code node} or untouched. */
    public boolean onlyOn(int node) {
        return on(node) + untouched == pages();
    }

    /** Text such as {@code 12 pages on node 0, 3 on node 1, 4 untouched}. */
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
