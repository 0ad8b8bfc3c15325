package org.cabrank.bench.handler;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that holds a monitor, so that a handler must wait for the monitor. Each slow request has its own peer.
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

    /** Released when the peer holds the monitor for the first time. The handler that started the peer waits until then. */
    private final Semaphore holding = new Semaphore(0);

    /** The peer holds the monitor until this {@link System#nanoTime}. Published by {@link #wanted}. */
    private long untilNs;

    private volatile boolean wanted;
    private volatile boolean entered;

    private SlowPeer() {
        thread = new Thread(this, "slow-peer");
        thread.setDaemon(true);
    }

    /** Blocks the calling thread for {@code timeNs} at a monitor that a peer holds. */
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
