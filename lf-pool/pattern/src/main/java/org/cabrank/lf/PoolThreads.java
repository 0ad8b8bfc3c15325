package org.cabrank.lf;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.handle.HandleSet;

/** Threads that a pool starts at its start and while it grows. A new thread gets the lowest free number. */
final class PoolThreads {
    private static final long LOOK_MS = 100;

    private final LeaderFollowersPool pool;
    private final PoolConfig config;
    private final Members members;
    private final Participation participation;

    private final BitSet numbers = new BitSet();

    PoolThreads(LeaderFollowersPool pool, Members members, Participation participation) {
        this.pool = pool;
        this.config = pool.config();
        this.members = members;
        this.participation = participation;
    }

    List<Runner> start() {
        CountDownLatch ready = new CountDownLatch(config.initialThreads());
        List<Runner> runners = new ArrayList<>();
        for (int i = 0; i < config.initialThreads(); i++) {
            if (!members.reserveForThread()) { // another thread or an earlier thread's failure has stopped the pool
                ready.countDown();
                continue;
            }
            Runner runner = new Runner(ready);
            runners.add(runner);
            try {
                start(runner);
            } catch (Throwable refused) { // no native thread: the started threads must not wait for this one
                pool.fail(refused);
                giveUp(runner);
            }
        }
        awaitReady(ready, runners);
        return runners;
    }

    Runner add() {
        if (!members.reserveForThreadIfFree()) {
            return null;
        }
        Runner runner = null;
        boolean started = false;
        try {
            runner = new Runner(null);
            start(runner);
            started = true;
            return runner;
        } finally {
            if (!started) {
                giveUp(runner);
            }
        }
    }

    synchronized int count() {
        return numbers.cardinality();
    }

    private synchronized int takeNumber() {
        int number = numbers.nextClearBit(0);
        numbers.set(number);
        return number;
    }

    boolean isComing(Runner started) {
        failIfItNeverRan(started);
        Member member = started.member;
        return !started.over && (member == null || !member.arrived);
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
            runner.refuse(new IllegalStateException(
                    "a thread of the thread factory ended without running its task: " + thread.getName()));
            giveUp(runner);
        }
    }

    private void giveUp(Runner runner) {
        if (runner != null) {
            runner.end();
        }
        members.cancelReservation();
        pool.placeFreed();
        if (runner != null) {
            runner.countDown();
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
            runner.refuse(refused); // the task runs nonetheless, and leaves the pool if the pool fails
        }
    }

    final class Runner implements Runnable {
        final int number = takeNumber();

        /** Counted down when {@code onThreadStart} has returned or thrown, or cannot be called. Null for an added thread. */
        private final CountDownLatch ready;

        /** True once the task has begun or was cancelled. A faulty thread factory may run the task twice or too late. */
        private final AtomicBoolean begun = new AtomicBoolean();

        private volatile Thread thread;

        private volatile Member member;

        private volatile Throwable refusal;
        private volatile boolean over;

        Runner(CountDownLatch ready) {
            this.ready = ready;
        }

        Throwable refusal() {
            return refusal;
        }

        boolean cancel() {
            return begun.compareAndSet(false, true);
        }

        private void refuse(Throwable cause) {
            if (ready != null) {
                pool.fail(cause);
            } else {
                refusal = cause;
            }
        }

        private void countDown() {
            if (ready != null) {
                ready.countDown();
            }
        }

        private void end() {
            synchronized (PoolThreads.this) {
                numbers.clear(number);
            }
            over = true;
            pool.threadEnded();
        }

        @Override
        public void run() {
            if (!begun.compareAndSet(false, true)) {
                return;
            }
            try {
                takePart();
            } catch (Throwable exhausted) {
                if (member == null) { // out of memory before the thread could take part
                    refuse(exhausted);
                    members.cancelReservation();
                    pool.placeFreed();
                    countDown();
                }
                throw exhausted;
            } finally {
                end();
            }
        }

        private void takePart() {
            member = members.tryTakeReserved();
            boolean fit = true;
            try {
                pool.handleSets().get(0).dispatcher().threadBegins();
                config.onThreadStart().accept(number);
            } catch (Throwable refused) {
                refuse(refused);
                fit = ready != null; // an initial thread leaves the failed pool like any stopped pool
            } finally {
                countDown();
            }
            if (member == null) {
                member = members.awaitReserved();
            }
            Member me = member;
            me.ofPool = true;
            if (fit) {
                beWatched(me);
                participation.participate(me, HandleSet.FOREVER);
            } else {
                participation.leave(me, !pool.isStoppingNow());
            }
        }

        private void beWatched(Member me) {
            try {
                me.beWatched(pool.handleSets().get(0).dispatcher()::newThreadProbe);
            } catch (Throwable exhausted) {
                // If the kernel does not tell the state of a thread, the thread counts as blocked.
            }
        }
    }
}
