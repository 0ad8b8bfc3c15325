package org.cabrank.bench.handler;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Thread that holds a monitor while a handler wants it. Each slow request has a peer to itself, so that concurrent slow requests do not
 * wait for each other.
 *
 * <pre>
 *  peer      holds the monitor ··············· 5 ms ·········· leaves, awaits the handler, holds it again
 *  handler               wants it: tells the peer, blocks ·····  enters, leaves
 * </pre>
 *
 * Invariant: a peer in {@link #FREE} holds its monitor, so the handler that takes the peer always blocks.
 */
final class SlowPeer implements Runnable {

    private static final Queue<SlowPeer> FREE = new ConcurrentLinkedQueue<>();

    private static final Object NOBODY = new Object();

    private final Object monitor = new Object();
    private final Thread thread;

    /** Released when the peer holds the monitor for the first time; the peer then serves the handler that started it. */
    private final Semaphore holding = new Semaphore(0);

    /** {@link System#nanoTime} until which the peer holds the monitor. Published by {@link #wanted}. */
    private long untilNs;

    private volatile boolean wanted;
    private volatile boolean entered;

    private SlowPeer() {
        thread = new Thread(this, "slow-peer");
        thread.setDaemon(true);
    }

    /** Blocks the calling thread at a monitor that a peer holds for {@code timeNs} from now on. */
    static void enterMonitorOfOne(long timeNs) {
        SlowPeer peer = FREE.poll();
        if (peer == null) {
            peer = new SlowPeer();
            peer.thread.start();
            peer.holding.acquireUninterruptibly();
        }
        peer.enter(timeNs);
    }

    private void enter(long timeNs) {
        untilNs = System.nanoTime() + timeNs;
        wanted = true;
        LockSupport.unpark(thread);
        synchronized (monitor) {
            entered = true;
        }
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        boolean started = false;
        while (true) {
            synchronized (monitor) {
                if (started) {
                    FREE.add(this);
                } else {
                    started = true;
                    holding.release();
                }
                while (!wanted) {
                    LockSupport.park(NOBODY);
                }
                wanted = false;
                holdUntilDue();
            }
            while (!entered) {
                LockSupport.park(NOBODY);
            }
            entered = false;
        }
    }

    private void holdUntilDue() {
        for (long left = untilNs - System.nanoTime(); left > 0; left = untilNs - System.nanoTime()) {
            LockSupport.parkNanos(NOBODY, left);
        }
    }
}
