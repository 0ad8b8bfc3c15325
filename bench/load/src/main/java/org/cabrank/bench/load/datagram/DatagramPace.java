package org.cabrank.bench.load.datagram;

/**
 * Due times of the datagrams of one worker at a fixed rate, independently of the server: a datagram that cannot be sent in time keeps
 * its due time (coordinated omission).
 *
 * <p>A worker that has paused finds many datagrams overdue. Sent at once, they would overflow the receive buffer of any server, and the
 * pause of the generator would count as a loss of the server. So a token bucket limits them: at once go only as many as fill half of a
 * default receive buffer ({@link #atOnce}), and further ones at {@value #CATCH_UP} times the rate until none is overdue. Answers have no
 * influence on that. A pause that is shorter than the bucket is deep is made up for at once.
 *
 * <pre>
 *   tokens: number of datagrams that may be sent now, at most atOnce
 *   + {@value #CATCH_UP} × rate × time;   - 1 for each datagram sent
 * </pre>
 */
final class DatagramPace {
    /** Factor on the rate while datagrams are overdue: a server at 90 % of its capacity keeps up with that. */
    static final double CATCH_UP = 1.1;

    /** Half of net.core.rmem_default (212,992 bytes), the size of receive buffers that a server does not set. */
    private static final int AT_ONCE_BYTES = 106_496;

    /** Bytes that a datagram takes from a receive buffer beside its data: struct sk_buff, skb_shared_info, headers with headroom. */
    private static final int SK_BUFF_BYTES = 256;

    private static final int SHARED_INFO_BYTES = 320;
    private static final int HEADER_BYTES = 64;

    /** Time in ns for whose tokens an overdue datagram waits, up to a quarter of the bucket. */
    private static final long BATCH_NS = 200_000;

    private final double burstIntervalNs;
    private final int burst;
    private final int atOnce;
    private final double tokensPerNs;

    /** Tokens that a system call waits for while datagrams are overdue: one datagram each would take too much CPU time to catch up. */
    private final int batch;

    private long startNs;

    private long next;

    private double tokens;
    private long tokensAtNs;

    /**
     * @param ratePerSecond datagrams per second of the worker
     * @param burst datagrams with the same due time
     * @param atOnce maximum number of overdue datagrams that are sent at once; at least a burst is
     */
    DatagramPace(double ratePerSecond, int burst, int atOnce) {
        this.burst = burst;
        this.atOnce = Math.max(burst, atOnce);
        burstIntervalNs = burst * 1e9 / ratePerSecond;
        tokensPerNs = CATCH_UP * ratePerSecond / 1e9;
        batch = (int) Math.max(1, Math.min(this.atOnce / 4, BATCH_NS * tokensPerNs));
    }

    static DatagramPace of(DatagramLoad load, int flows) {
        return new DatagramPace(
                (double) load.ratePerSecond() * flows / load.flows(),
                load.burst(),
                atOnce(load.sizeBytes()) / load.threads());
    }

    /** Returns the number of datagrams of {@code sizeBytes} that fill half of a default receive buffer. */
    static int atOnce(int sizeBytes) {
        int data = sizeBytes + HEADER_BYTES + SHARED_INFO_BYTES;
        int allocated = Integer.highestOneBit(data - 1) << 1; // kmalloc rounds to a power of two
        return AT_ONCE_BYTES / (SK_BUFF_BYTES + allocated);
    }

    void begin(long nowNs) {
        startNs = nowNs;
        tokens = atOnce;
        tokensAtNs = nowNs;
    }

    /**
     * Makes the next datagram due now if it is overdue. Called when counting begins, because the delay of a start, in which code is not
     * compiled yet, would otherwise be caught up in the measured interval.
     */
    void forgive(long nowNs) {
        startNs += Math.max(0, nowNs - dueNs(0));
    }

    /** Due time of the datagram that is {@code ahead} behind the next one, of System.nanoTime. */
    long dueNs(int ahead) {
        return startNs + (long) ((next + ahead) / burst * burstIntervalNs);
    }

    long nextNs() {
        double missing = needed() - tokens;
        return tokensAtNs + Math.max(dueNs(0) - tokensAtNs, (long) Math.ceil(missing / tokensPerNs));
    }

    int due(long nowNs, int max) {
        tokens = Math.min(atOnce, tokens + (nowNs - tokensAtNs) * tokensPerNs);
        tokensAtNs = nowNs;
        int allowed = Math.min(max, allowed());
        int count = 0;
        while (count < allowed && dueNs(count) - nowNs <= 0) {
            count++;
        }
        return count;
    }

    private int allowed() {
        int whole = (int) tokens;
        return whole < needed() ? 0 : whole - (whole - restOfBurst()) % burst;
    }

    private int needed() {
        return Math.max(batch, restOfBurst());
    }

    private int restOfBurst() {
        return burst - (int) (next % burst);
    }

    /** {@code count} datagrams have been sent, or were refused. */
    void passed(int count) {
        next += count;
        tokens -= count;
    }
}
