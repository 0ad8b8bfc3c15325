package org.cabrank.bench.load.datagram;

/**
 * A connected socket with the numbers of its datagrams. Belongs to its worker's thread.
 *
 * <pre>
 * 0 .......... base ......... boundary ........ next boundary ........ next
 *  | given up   | sent before the last turn     | since the last turn  |
 *               | &lt;-- under way: those that are not answered --&gt;       |
 * </pre>
 */
final class DatagramFlow {
    private final int fd;
    private final int index;
    private final FlowTally tally;
    private final long lossTimeoutNs;
    private final AnsweredNumbers numbers;
    private long base;
    private long boundary;
    private long nextBoundary;
    private int underWay;
    private long highest = -1;
    private long countFrom = Long.MAX_VALUE;
    private long countTo = Long.MAX_VALUE;

    DatagramFlow(int fd, int index, DatagramLoad load, int memory, FlowTally tally) {
        this.fd = fd;
        this.index = index;
        this.tally = tally;
        this.lossTimeoutNs = load.lossTimeoutNs();
        this.numbers = new AnsweredNumbers(memory);
    }

    int fd() {
        return fd;
    }

    int index() {
        return index;
    }

    long next() {
        return numbers.end();
    }

    int underWay() {
        return underWay;
    }

    void sent(int count) {
        long end = numbers.end() + count;
        if (end - base > numbers.size()) {
            giveUpTo(end - numbers.size());
        }
        numbers.sentTo(end);
        underWay += count;
        if (end > countFrom && countTo == Long.MAX_VALUE) {
            tally.sent += count;
        }
    }

    void beginCounting() {
        countFrom = numbers.end();
    }

    void endCounting() {
        countTo = numbers.end();
    }

    /** Called for an answer whose content is right. Returns true if the datagram had no answer before. */
    boolean answered(long number, long dueNs, long nowNs) {
        AnsweredNumbers.Answer answer = numbers.answered(number);
        boolean counts = number >= countFrom && number < countTo;
        if (counts && (answer == AnsweredNumbers.Answer.UNKNOWN || nowNs - dueNs > lossTimeoutNs)) {
            tally.late++;
        }
        if (countFrom != Long.MAX_VALUE && countTo == Long.MAX_VALUE && answer == AnsweredNumbers.Answer.FIRST) {
            tally.answersInTime++;
        }
        switch (answer) {
            case FIRST -> {
                if (number >= base) {
                    underWay--;
                }
                if (counts) {
                    tally.received++;
                    tally.latency(nowNs - dueNs);
                    if (number < highest) {
                        tally.reordered++;
                    }
                }
                highest = Math.max(highest, number);
            }
            case REPEATED -> {
                if (counts) {
                    tally.duplicated++;
                }
            }
            case UNKNOWN -> {
                // counted as late
            }
        }
        return answer == AnsweredNumbers.Answer.FIRST;
    }

    /** Called after every half loss timeout. Gives up the datagrams that were sent before the second-last call. */
    void turn() {
        giveUpTo(Math.max(base, boundary));
        boundary = nextBoundary;
        nextBoundary = numbers.end();
    }

    private void giveUpTo(long to) {
        underWay -= numbers.missing(base, to);
        base = to;
    }
}
