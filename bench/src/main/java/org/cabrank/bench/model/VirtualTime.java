package org.cabrank.bench.model;

import java.util.PriorityQueue;

/** What happens in the simulation, in its order: by time, and at the same time by who came first. */
final class VirtualTime {

    private final PriorityQueue<Happening> next = new PriorityQueue<>();
    private double nowNs;
    private long count;

    private record Happening(double atNs, long number, Runnable what) implements Comparable<Happening> {
        @Override
        public int compareTo(Happening other) {
            int byTime = Double.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    double nowNs() {
        return nowNs;
    }

    void after(double delayNs, Runnable what) {
        next.add(new Happening(nowNs + delayNs, count++, what));
    }

    /** Goes on to the next happening; false: nothing is left. */
    boolean step() {
        Happening happening = next.poll();
        if (happening == null) {
            return false;
        }
        nowNs = happening.atNs;
        happening.what.run();
        return true;
    }
}
