package org.cabrank.bench.load.datagram;

/**
 * Numbers of the datagrams of one flow that one subscriber has received. A repeated datagram does not make up for a lost one, because
 * different numbers are counted. Used by one thread.
 */
final class ReceivedNumbers {
    /** Named bound: numbers before the highest one, each of which is remembered. */
    static final int MEMORY = 1 << 10;

    private final AnsweredNumbers received = new AnsweredNumbers(MEMORY);
    private long first = Long.MAX_VALUE;
    private long different;
    private long reordered;
    private long repeated;

    /**
     * Counts a datagram. A number that is {@link #MEMORY} or more behind the highest one counts as reordered and stays lost, because it
     * may be a repeated one.
     *
     * @param number from 0
     * @return true if the number is known to be received for the first time
     */
    boolean add(long number) {
        boolean behind = number < received.end();
        if (!behind) {
            received.sentTo(number + 1);
        }
        AnsweredNumbers.Answer answer = received.answered(number);
        if (answer == AnsweredNumbers.Answer.REPEATED) {
            repeated++;
            return false;
        }
        if (behind) {
            reordered++;
        }
        if (answer == AnsweredNumbers.Answer.UNKNOWN) {
            return false;
        }
        first = Math.min(first, number);
        different++;
        return true;
    }

    /** Number of datagrams between the lowest and the highest number that are missing. */
    long lost() {
        return different == 0 ? 0 : received.end() - first - different;
    }

    /** Number of datagrams received behind a later one. */
    long reordered() {
        return reordered;
    }

    /** Number of repeated datagrams. */
    long repeated() {
        return repeated;
    }
}
