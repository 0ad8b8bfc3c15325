package org.cabrank.bench.load.datagram;

/**
 * Due times of one worker's datagrams at a fixed rate. A datagram that is sent late keeps its due time, to avoid coordinated omission.
 *
 * <p>After a pause of the worker many datagrams are overdue. If all were sent at once, they would overflow the server's receive buffer, and
 * the generator's pause would count as a loss of the server. So a token bucket permits only {@link #atOnce} datagrams at once, which fill
 * half of a default receive buffer. The other datagrams are sent at {@value #CATCH_UP} times the rate.
 */
final class DatagramPace {
    /** Factor on the rate while datagrams are overdue. A server at 90 % of its capacity can handle the higher rate. */
    static final double CATCH_UP = 1.1;

    /** Half of the default size of a receive buffer, net.core.rmem_default (212,992 bytes). */
    private static final int AT_ONCE_BYTES = 106_496;

    /** In a receive buffer, each datagram needs a struct sk_buff, a skb_shared_info and headers in addition to its data. */
    private static final int SK_BUFF_BYTES = 256;

    private static final int SHARED_INFO_BYTES = 320;
    private static final int HEADER_BYTES = 64;

    /** {@link #batch} is the number of tokens that arrive in this time, but at most a quarter of the bucket. */
    private static final long BATCH_NS = 200_000;

    private final double burstIntervalNs;
    private final int burst;
    private final int atOnce;
    private final double tokensPerNs;

    /** Minimum number of tokens for a system call while datagrams are overdue. One call for each datagram would take too much CPU time. */
    private final int batch;

    private long startNs;

    private long next;

    private double tokens;
    private long tokensAtNs;

    /** {@code burst} is the number of datagrams that are due at the same time. {@code atOnce} is raised to {@code burst} if it is less. */
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

    /** Called when counting begins. Drops the delay of the warm-up, when code was not compiled yet. */
    void forgive(long nowNs) {
        startNs += Math.max(0, nowNs - dueNs(0));
    }

    /** Returns the due time of the datagram that is {@code ahead} places after the next one. */
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

    /** Moves on by {@code count} datagrams, which have been sent or refused. */
    void passed(int count) {
        next += count;
        tokens -= count;
    }
}
