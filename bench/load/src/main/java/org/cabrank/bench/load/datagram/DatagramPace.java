package org.cabrank.bench.load.datagram;

/**
 * Due times of one worker's datagrams at a fixed rate. A datagram that cannot be sent in time keeps its due time (coordinated omission).
 *
 * <p>A worker that has paused finds many datagrams overdue. Sent at once, they would overflow the server's receive buffer, and the
 * generator's pause would count as the server's loss. A token bucket limits them: only as many as fill half of a default receive buffer
 * ({@link #atOnce}) are sent at once, and the others at {@value #CATCH_UP} times the rate. Answers have no influence on this.
 *
 * <pre>
 *   tokens: number of datagrams that may be sent now, at most atOnce
 *   + {@value #CATCH_UP} × rate × time;   - 1 for each datagram sent
 * </pre>
 */
final class DatagramPace {
    /** Factor on the rate while datagrams are overdue. A server at 90 % of its capacity can handle the higher rate. */
    static final double CATCH_UP = 1.1;

    /** Half of net.core.rmem_default (212,992 bytes), the size of a receive buffer if the server does not set it. */
    private static final int AT_ONCE_BYTES = 106_496;

    /** Bytes of a receive buffer that a datagram uses in addition to its data: struct sk_buff, skb_shared_info, headers with headroom. */
    private static final int SK_BUFF_BYTES = 256;

    private static final int SHARED_INFO_BYTES = 320;
    private static final int HEADER_BYTES = 64;

    /** Time in ns that determines {@link #batch}: the tokens of this time, but at most a quarter of the bucket. */
    private static final long BATCH_NS = 200_000;

    private final double burstIntervalNs;
    private final int burst;
    private final int atOnce;
    private final double tokensPerNs;

    /** Minimum tokens for a system call while datagrams are overdue: one datagram for each call would take too much CPU time. */
    private final int batch;

    private long startNs;

    private long next;

    private double tokens;
    private long tokensAtNs;

    /** {@code burst}: number of datagrams for each due time. {@code atOnce}: maximum number sent at once, at least {@code burst}. */
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

    /** Number of datagrams that fill half of a default receive buffer. */
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

    /** Called when counting begins: makes an overdue datagram due now, because a delay by uncompiled code must not be caught up. */
    void forgive(long nowNs) {
        startNs += Math.max(0, nowNs - dueNs(0));
    }

    /** Due time (System.nanoTime) of the datagram that is {@code ahead} places after the next one. */
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

    /** Counts datagrams that have been sent or refused. */
    void passed(int count) {
        next += count;
        tokens -= count;
    }
}
