package org.cabrank.bench.experiment;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Hostile connections, kept by one thread. A connection that the server has ended is made again. */
final class HostileClients implements AutoCloseable {
    private static final int BURST_BYTES = 256 << 10;
    private static final int RECEIVE_BUFFER = 4 << 10;

    /** Without a byte taken for so long, the server has stopped reading from those that never read. */
    private static final long QUIET_NS = 300_000_000;

    /** So long after the server has first closed one of them it is at a limit, and stays there as long as they come back. */
    private static final long AT_LIMIT_NS = 3_000_000_000L;

    private final InetSocketAddress address;
    private final HostileCrowd crowd;
    private final List<SocketChannel> silent = new ArrayList<>();
    private final List<SocketChannel> neverRead = new ArrayList<>();
    private final List<SocketChannel> dribble = new ArrayList<>();
    private final AtomicLong made = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong reset = new AtomicLong();
    private final ByteBuffer zeros = ByteBuffer.allocate(BURST_BYTES);
    private final CountDownLatch standing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "hostile");
    private volatile boolean closing;

    /** By the thread: sent on connections that never read. */
    private long floodBytes;

    /** Begins to connect. */
    HostileClients(InetSocketAddress address, HostileCrowd crowd) {
        this.address = address;
        this.crowd = crowd;
        thread.start();
    }

    /**
     * Waits until all connections stand, and those that never read can send no more or are closed at a limit of the server;
     * false when that takes longer.
     */
    boolean awaitStanding(long timeoutNs) throws InterruptedException {
        return standing.await(timeoutNs, TimeUnit.NANOSECONDS);
    }

    /** Connections that the server has ended or refused. */
    long ended() {
        return ended.get();
    }

    long made() {
        return made.get();
    }

    long reset() {
        return reset.get();
    }

    private void run() {
        fill(silent, crowd.halfOpen(), 0);
        fill(silent, crowd.halfOpen() + crowd.unread(), 1);
        fill(neverRead, crowd.neverRead(), 0);
        fill(dribble, crowd.dribble(), 0);
        long quietSinceNs = System.nanoTime();
        long endNs = Long.MAX_VALUE; // of the wait for quiet
        while (!closing) {
            long before = floodBytes;
            boolean someClosed = neverRead.removeIf(channel -> !send(channel, BURST_BYTES));
            long nowNs = System.nanoTime();
            if (someClosed && endNs == Long.MAX_VALUE) {
                endNs = nowNs + AT_LIMIT_NS;
            }
            if (floodBytes != before) {
                quietSinceNs = nowNs;
            }
            if (nowNs - quietSinceNs > QUIET_NS || nowNs > endNs) {
                standing.countDown();
            }
            fill(neverRead, crowd.neverRead(), 0);
            dribble.removeIf(channel -> !send(channel, 1));
            fill(dribble, crowd.dribble(), 0);
            for (int i = 0; i < crowd.resetsPerRound() && !closing; i++) {
                connectAndReset();
            }
            LockSupport.parkNanos(HostileCrowd.ROUND_NS);
        }
        List.of(silent, neverRead, dribble).forEach(channels -> channels.forEach(this::close));
    }

    private void fill(List<SocketChannel> channels, int count, int firstBytes) {
        for (int missing = count - channels.size(); missing > 0 && !closing; missing--) {
            SocketChannel channel = connect();
            if (channel != null && (firstBytes == 0 || send(channel, firstBytes))) {
                channels.add(channel);
            }
        }
    }

    /** Null: the server or the kernel has refused. */
    private SocketChannel connect() {
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open();
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
            channel.setOption(StandardSocketOptions.SO_LINGER, 0); // whoever goes, goes without TIME_WAIT
            channel.connect(address);
            channel.configureBlocking(false);
            made.incrementAndGet();
            return channel;
        } catch (IOException refused) {
            ended.incrementAndGet();
            if (channel != null) {
                close(channel);
            }
            return null;
        }
    }

    /** Sends up to so many bytes, as far as the socket takes them; false when the server has ended the connection. */
    private boolean send(SocketChannel channel, int bytes) {
        try {
            int taken = channel.write(zeros.clear().limit(bytes));
            floodBytes += bytes == BURST_BYTES ? taken : 0;
            return true;
        } catch (IOException over) {
            ended.incrementAndGet();
            close(channel);
            return false;
        }
    }

    private void connectAndReset() {
        SocketChannel channel = connect();
        if (channel != null && send(channel, 3 * HostileServer.REQUEST_BYTES / 2)) {
            reset.incrementAndGet();
            close(channel);
        }
    }

    private void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException failed) {
            ended.incrementAndGet();
        }
    }

    /** Resets all connections. */
    @Override
    public void close() {
        closing = true;
        try {
            thread.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
