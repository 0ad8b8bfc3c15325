package org.cabrank.affinity;

import org.cabrank.kernel.Scheduling;

/**
 * Scheduling policy of a thread (sched(7)).
 *
 * @param level for {@link Kind#OTHER}, the nice value from -20 (favoured) to 19. For {@link Kind#FIFO} and {@link Kind#RR}, the priority
 *     from 1 (lowest) to 99. For the other kinds, 0
 */
public record SchedulingPolicy(Kind kind, int level) {
    /** The policies of the kernel. */
    public enum Kind {
        /** Time-sharing, weighted by the nice value. */
        OTHER("nice", -20, 19, Scheduling.SCHED_OTHER),
        /** Real-time. Runs until it blocks, before all threads of lower priority and all threads that are not real-time. */
        FIFO("fifo", 1, 99, Scheduling.SCHED_FIFO),
        /** Real-time like FIFO, but threads of equal priority take turns. */
        RR("rr", 1, 99, Scheduling.SCHED_RR),
        /** Time-sharing for threads that compute. Such a thread need not run as soon as it wakes up. */
        BATCH("batch", 0, 0, Scheduling.SCHED_BATCH),
        /** Runs only when no other thread is runnable. */
        IDLE("idle", 0, 0, Scheduling.SCHED_IDLE);

        private final String word;
        private final int levelMin;
        private final int levelMax;

        final int number;

        Kind(String word, int levelMin, int levelMax, int number) {
            this.word = word;
            this.levelMin = levelMin;
            this.levelMax = levelMax;
            this.number = number;
        }

        boolean hasLevels() {
            return levelMin != levelMax;
        }

        boolean isRealTime() {
            return this == FIFO || this == RR;
        }
    }

    private static final String WORDS = "nice:-20 to nice:19, fifo:1 to fifo:99, rr:1 to rr:99, batch or idle";

    public SchedulingPolicy {
        if (level < kind.levelMin || level > kind.levelMax) {
            throw new IllegalArgumentException(kind.word
                    + (kind.hasLevels() ? " goes from " + kind.levelMin + " to " + kind.levelMax : " has no levels")
                    + ", but is " + level);
        }
    }

    /** Time-sharing with this nice value, from -20 (favoured) to 19. */
    public static SchedulingPolicy nice(int value) {
        return new SchedulingPolicy(Kind.OTHER, value);
    }

    /** Real-time, first in first out, with this priority from 1 to 99. */
    public static SchedulingPolicy fifo(int priority) {
        return new SchedulingPolicy(Kind.FIFO, priority);
    }

    /**
     * Parses the text of {@link #toString}.
     *
     * @throws IllegalArgumentException with a message that states the expected format
     */
    public static SchedulingPolicy parse(String text) {
        String[] parts = text.split(":", -1);
        for (Kind kind : Kind.values()) {
            if (kind.word.equals(parts[0]) && parts.length == (kind.hasLevels() ? 2 : 1)) {
                return new SchedulingPolicy(kind, kind.hasLevels() ? level(text, parts[1]) : 0);
            }
        }
        throw unknown(text);
    }

    private static int level(String text, String digits) {
        if (!digits.matches("-?\\d{1,4}")) {
            throw unknown(text);
        }
        return Integer.parseInt(digits);
    }

    private static IllegalArgumentException unknown(String text) {
        return new IllegalArgumentException("'" + text + "' is no scheduling policy: write " + WORDS);
    }

    /** True for SCHED_FIFO and SCHED_RR. If a real-time thread never blocks, no thread of lower priority runs on its CPU. */
    public boolean isRealTime() {
        return kind.isRealTime();
    }

    @Override
    public String toString() {
        return kind.hasLevels() ? kind.word + ":" + level : kind.word;
    }
}
