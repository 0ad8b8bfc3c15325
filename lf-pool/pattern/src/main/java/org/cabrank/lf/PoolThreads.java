package org.cabrank.lf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The threads that a pool starts itself. */
final class PoolThreads {
    /** Named bound: how long to wait for threads to start before looking for one that ended without running its task. */
    private static final long LOOK_MS = 100;

    private final LeaderFollowersPool pool;
    private final PoolConfig config;
    private final Members members;
    private final Participation participation;

    PoolThreads(LeaderFollowersPool pool, Members members, Participation participation) {
        this.pool = pool;
        this.config = pool.config();
        this.members = members;
        this.participation = participation;
    }

    /**
     * Starts them all and waits until each has run {@link PoolConfig#onThreadStart}. A thread whose place a guest has at
     * this moment takes part as soon as a guest leaves.
     */
    void start() {
        CountDownLatch ready = new CountDownLatch(config.threads());
        List<Runner> runners = new ArrayList<>();
        for (int number = 0; number < config.threads(); number++) {
            Runner runner = new Runner(number, ready);
            if (!members.owePlace()) { // stopped by another thread, or by the failure of one started before
                ready.countDown();
                continue;
            }
            runners.add(runner);
            try {
                start(runner);
            } catch (Throwable refused) { // out of threads: the threads that have started must not wait for this thread
                pool.fail(refused);
                members.cancelPlace();
                ready.countDown();
            }
        }
        awaitReady(ready, runners);
    }

    private void awaitReady(CountDownLatch ready, List<Runner> runners) {
        boolean interrupted = false;
        while (ready.getCount() > 0) {
            try {
                if (!ready.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                    runners.forEach(this::failIfItNeverRan);
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void failIfItNeverRan(Runner runner) {
        Thread thread = runner.thread;
        if (thread != null && !thread.isAlive() && runner.cancel()) {
            pool.fail(new IllegalStateException(
                    "a thread of the thread factory ended without running its task: " + thread.getName()));
            members.cancelPlace();
            runner.ready.countDown();
        }
    }

    private void start(Runner runner) {
        try {
            Thread thread = config.threadFactory().newThread(runner);
            if (thread == null) {
                throw new IllegalStateException("the thread factory returned null instead of a thread");
            }
            if (VirtualThreads.isVirtual(thread)) {
                throw new IllegalStateException(
                        "the thread factory returned a virtual thread, which cannot take part: a wait"
                                + " in the kernel would block its carrier; return a platform thread");
            }
            if (thread.getState() != Thread.State.NEW) {
                throw new IllegalStateException("the thread factory returned a thread that was started already: "
                        + thread.getName() + "; the pool starts its threads itself");
            }
            thread.setName(config.name() + "-" + runner.number);
            runner.thread = thread;
            thread.start();
        } catch (Throwable refused) {
            if (runner.cancel()) {
                throw refused;
            }
            pool.fail(refused); // it runs nonetheless, and leaves by itself
        }
    }

    /** The task of one thread. */
    private final class Runner implements Runnable {
        final int number;
        final CountDownLatch ready;

        /** The task runs, or never will: a factory may return a thread that runs it twice, or too late. */
        private final AtomicBoolean begun = new AtomicBoolean();

        volatile Thread thread;

        /** The thread has its place; by that thread. */
        private boolean adopted;

        Runner(int number, CountDownLatch ready) {
            this.number = number;
            this.ready = ready;
        }

        /** True: the task has not begun, and never will. */
        boolean cancel() {
            return begun.compareAndSet(false, true);
        }

        @Override
        public void run() {
            if (!begun.compareAndSet(false, true)) {
                return;
            }
            try {
                takePart();
            } catch (Throwable exhausted) {
                if (!adopted) { // no memory to take part
                    pool.fail(exhausted);
                    members.cancelPlace();
                    pool.placeFreed();
                    ready.countDown();
                }
                throw exhausted;
            }
        }

        private void takePart() {
            Member me = members.tryOwedPlace();
            adopted = me != null;
            try {
                participation.threadBegins();
                config.onThreadStart().accept(number);
            } catch (Throwable refused) {
                pool.fail(refused);
            } finally {
                ready.countDown();
            }
            if (me == null) {
                me = members.awaitOwedPlace();
                adopted = true;
            }
            beWatched(me);
            participation.participate(me, HandleSet.FOREVER);
        }

        /** A probe can tell then whether the thread's handler waits or computes. */
        private void beWatched(Member me) {
            try {
                me.beWatched(participation::newThreadProbe);
            } catch (Throwable exhausted) {
                // a thread of which the kernel cannot be asked counts as blocked
            }
        }
    }
}
